import { Field, type FieldProps } from './field.tsx'

/** A field for an email address: with the keyboard, the suggestions and the length of one. */
export function EmailField({ name = 'email', ...field }: Omit<FieldProps, 'type'>) {
  return <Field name={name} type="email" required maxLength={254} autoComplete="email" autoCapitalize="none" spellCheck={false} {...field} />
}
