import { setCommentName } from '../../../api/discussion.ts'
import { NamedReader, useUnsent } from '../../../app/lost-session.tsx'
import { useSite } from '../../../app/site-context.ts'
import { statusOf, withStatus } from '../../../app/status.ts'
import { textOf, useSubmit } from '../../../app/use-submit.ts'
import { FormPage } from '../../../blocks/form-page.tsx'
import { useT } from '../../../i18n/use-t.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import styles from './focus.module.css'
import { Back } from './back.tsx'

const field = 'comment_name'

/** What can be wrong with a name, as codes say it. */
const wrong = { INVALID_COMMENT_NAME: field, COMMENT_NAME_EXISTS: field, INVALID_REQUIREMENT: field, TOO_MANY_REQUESTS: field } as const

interface CommentNameProps {
  value: string
  /** Of the page: a form that was refused without scripts comes back with the reason in it. */
  url: string
}

/** The name under which a reader writes in discussions. */
export function CommentName({ value, url }: CommentNameProps) {
  const t = useT()
  const { href } = useSite()
  const unsent = useUnsent('/fns/user-comment-name')
  const { form, busy, fieldError, formError } = useSubmit({
    invalid: 'INVALID_COMMENT_NAME',
    shows: [field],
    fields: wrong,
    send: async (data) => {
      await setCommentName(textOf(data, field))
      return withStatus(href('profile'), 'COMMENT_NAME_SET')
    },
  })
  const code = statusOf(url)?.code
  const told = code && code in wrong ? t(`status.${code}`) : undefined
  return (
    <FormPage title={t('focusPage.name.title')} lead={t('focusPage.name.lead')}>
      <form {...form} className={styles.form} method="post" action="/fns/user-comment-name">
        <NamedReader />
        <Field
          label={t('focusPage.name.field')}
          hint={t('focusPage.name.hint')}
          name={field}
          required
          maxLength={60}
          autoComplete="nickname"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={unsent(field) ?? value}
          error={fieldError(field) ?? (busy || formError ? undefined : told)}
        />
        <Button type="submit" wide busy={busy}>
          {busy ? t('action.processing') : t('focusPage.name.submit')}
        </Button>
        <FormError>{formError}</FormError>
        <Back />
      </form>
    </FormPage>
  )
}
