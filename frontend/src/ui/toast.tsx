import { useEffect, useState, type ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './toast.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

interface ToastProps {
  kind: 'error' | 'success'
  closeLabel: string
  onClose: () => void
  /** How long it stays, in milliseconds, while nobody points at it. */
  duration?: number
  /** It stays until it is closed. */
  stays?: boolean
  children: ReactNode
}

/** A short message that goes by itself; pointing at it or focusing it holds it. */
export function Toast({ kind, closeLabel, onClose, duration = 5000, stays = false, children }: ToastProps) {
  const [held, setHeld] = useState(false)
  const [leaving, setLeaving] = useState(false)
  useEffect(() => {
    if (held || stays) return
    const fade = setTimeout(() => setLeaving(true), duration)
    const close = setTimeout(onClose, duration + 200)
    return () => {
      clearTimeout(fade)
      clearTimeout(close)
    }
    // onClose is new on each render of the parent; the clock must not start again for that
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [held, stays, duration])

  const hold = () => {
    setHeld(true)
    setLeaving(false)
  }
  const release = () => setHeld(false)
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- pointing only holds the clock
    <div
      className={styles.toast}
      data-kind={kind}
      data-leaving={leaving || undefined}
      data-print="hide"
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <p role={kind === 'error' ? 'alert' : 'status'}>{children}</p>
      <button type="button" className={styles.close} onClick={onClose}>
        <Icon name="close" />
        <VisuallyHidden>{closeLabel}</VisuallyHidden>
      </button>
    </div>
  )
}
