import { useEffect, useId, useRef, type MouseEvent, type ReactNode } from 'react'
import { useT } from '../i18n/use-t.ts'
import styles from './dialog.module.css'
import { Icon } from './icon.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  /** For content that speaks for itself, such as a picture; the title is still read out. */
  hideTitle?: boolean
  children: ReactNode
}

/** The browser's modal dialog: it holds the focus, gives it back, and closes on Escape; here on its backdrop too. */
export function Dialog({ open, onClose, title, hideTitle = false, children }: DialogProps) {
  const t = useT()
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (open && element && !element.open) element.showModal()
    if (!open && element?.open) element.close()
  }, [open])

  // A click on the backdrop is one on the dialog itself: its content lies in an inner element without a gap.
  const onClick = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose()
  }
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is the key
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={titleId} onClose={onClose} onClick={onClick}>
      {open && (
        <div className={styles.inner}>
          <div className={styles.head}>
            <h2 id={titleId} className={hideTitle ? styles.quietTitle : styles.title}>
              {hideTitle ? <VisuallyHidden>{title}</VisuallyHidden> : title}
            </h2>
            <button type="button" className={styles.close} onClick={onClose}>
              <Icon name="close" />
              <VisuallyHidden>{t('action.close')}</VisuallyHidden>
            </button>
          </div>
          {children}
        </div>
      )}
    </dialog>
  )
}
