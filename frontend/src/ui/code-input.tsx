import { useId, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import { useT } from '../i18n/use-t.ts'
import { fillFrom, typeInto } from './code.ts'
import styles from './code-input.module.css'

const total = 6

interface CodeInputProps {
  label: string
  /** Of the form field that holds the whole code. */
  name?: string
  error?: string
  disabled?: boolean
  /** All six digits are there. */
  onComplete?: (code: string) => void
}

/** Six boxes for a code from a letter. Pasted or filled in by the device, it may land in any of them. */
export function CodeInput({ label, name = 'code', error, disabled = false, onComplete }: CodeInputProps) {
  const t = useT()
  const errorId = useId()
  const boxes = useRef<(HTMLInputElement | null)[]>([])
  const [digits, setDigits] = useState<string[]>(() => Array<string>(total).fill(''))
  const code = digits.join('')
  const complete = code.length === total

  const update = (next: string[], focus: number) => {
    setDigits(next)
    boxes.current[Math.min(focus, total - 1)]?.focus()
    const whole = next.join('')
    if (whole.length === total && whole !== code) onComplete?.(whole)
  }
  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault()
    const filled = fillFrom(event.clipboardData.getData('text'), total)
    if (filled) update(filled, total)
  }
  const onKeyDown = (index: number) => (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && digits[index] === '') {
      event.preventDefault()
      update(typeInto(digits, index - 1, ''), Math.max(index - 1, 0))
    }
    if (event.key === 'ArrowLeft') boxes.current[index - 1]?.focus()
    if (event.key === 'ArrowRight') boxes.current[index + 1]?.focus()
  }
  const onChange = (index: number, text: string) => {
    const filled = fillFrom(text, total)
    if (filled) return update(filled, total)
    const digit = text.replace(/\D/g, '').slice(-1)
    update(typeInto(digits, index, digit), digit ? index + 1 : index)
  }

  return (
    <fieldset className={styles.group} disabled={disabled} aria-describedby={error ? errorId : undefined}>
      <legend className={styles.legend}>{label}</legend>
      <div className={styles.boxes} onPaste={onPaste}>
        {digits.map((digit, index) => (
          <input
            key={index}
            ref={(box) => {
              boxes.current[index] = box
            }}
            className={styles.box}
            type="text"
            inputMode="numeric"
            pattern="[0-9]*"
            autoComplete={index === 0 ? 'one-time-code' : 'off'}
            aria-label={t('code.digit', { number: index + 1, total })}
            aria-invalid={error ? true : undefined}
            value={digit}
            onChange={(event) => onChange(index, event.target.value)}
            onKeyDown={onKeyDown(index)}
            onFocus={(event) => event.target.select()}
          />
        ))}
      </div>
      {complete && <input type="hidden" name={name} value={code} />}
      <noscript>
        <input className={styles.plain} name={name} inputMode="numeric" autoComplete="one-time-code" aria-label={label} />
      </noscript>
      <p id={errorId} className={styles.error} role="alert">
        {error}
      </p>
    </fieldset>
  )
}
