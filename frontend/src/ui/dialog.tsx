import { useId, useLayoutEffect, useRef, type MouseEvent, type ReactNode } from 'react'
import { useT } from '../i18n/use-t.ts'
import styles from './dialog.module.css'
import { Icon } from './icon.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

interface DialogProps {
  onClose: () => void
  title: string
  children: ReactNode
}

/** The browser's modal dialog, open as long as it is there: it holds the focus, gives it back, and closes on Escape; here on its backdrop too. */
export function Dialog({ onClose, title, children }: DialogProps) {
  const t = useT()
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  // Closed before it leaves the page, or the browser would not give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current
    if (element && !element.open) element.showModal()
    return () => element?.close()
  }, [])

  // A click on the backdrop is one on the dialog itself: its content lies in an inner element without a gap.
  const onClick = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose()
  }
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is the key
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={titleId} onClose={(event) => event.currentTarget.isConnected && onClose()} onClick={onClick}>
      <div className={styles.inner}>
        <div className={styles.head}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          <button type="button" className={styles.close} onClick={onClose}>
            <Icon name="close" />
            <VisuallyHidden>{t('action.close')}</VisuallyHidden>
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
