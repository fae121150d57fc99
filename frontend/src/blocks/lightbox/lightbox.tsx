import { useEffect, useId, useLayoutEffect, useRef, type MouseEvent } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { arrowOf } from '../../ui/arrow-keys.ts'
import { Icon } from '../../ui/icon.tsx'
import { Player } from '../../ui/player.tsx'
import { useSwipe } from '../../ui/use-swipe.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './lightbox.module.css'
import type { Playable } from './use-lightbox.ts'

export interface LightboxProps {
  card: Playable
  place: { number: number; total: number }
  /** The reader has just clicked this very video. */
  clicked: boolean
  onPrevious: (() => void) | null
  onNext: (() => void) | null
  onClose: () => void
}

const nowhere = () => undefined

/** A video over the page, in the browser's own modal dialog: Escape closes it, arrows and swipes lead to its neighbours. */
export function Lightbox({ card, place, clicked, onPrevious, onNext, onClose }: LightboxProps) {
  const t = useT()
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const swipe = useSwipe({ previous: onPrevious ?? nowhere, next: onNext ?? nowhere })

  // Closed before it leaves the page, or the browser would not give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current
    if (element && !element.open) element.showModal()
    return () => element?.close()
  }, [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const meant = arrowOf(event)
      if (meant === 'previous') onPrevious?.()
      if (meant === 'next') onNext?.()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [onPrevious, onNext])

  // Its content lies in an inner element without a gap: a click on the dialog itself is one on the backdrop.
  const onBackdrop = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose()
  }
  const onCancel = (event: { preventDefault: () => void }) => {
    event.preventDefault()
    onClose()
  }
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is the key
    <dialog ref={dialog} className={styles.lightbox} aria-labelledby={titleId} onCancel={onCancel} onClick={onBackdrop}>
      <div className={styles.inner} {...swipe}>
        <div className={styles.bar}>
          <p className={styles.place} role="status">
            <VisuallyHidden>{card.title}: </VisuallyHidden>
            {t('lightbox.place', place)}
          </p>
          <button type="button" className={styles.button} onClick={onClose}>
            <Icon name="close" />
            <VisuallyHidden>{t('action.close')}</VisuallyHidden>
          </button>
        </div>
        <div className={styles.stage}>
          <Player key={card.id} video={card.video} title={card.title} poster={card.picture} autoplay={clicked} preload="metadata" />
        </div>
        <div className={styles.below}>
          <button type="button" className={styles.button} onClick={onPrevious ?? nowhere} disabled={!onPrevious}>
            <Icon name="previous" />
            <VisuallyHidden>{t('lightbox.previous')}</VisuallyHidden>
          </button>
          <h2 id={titleId} className={styles.title}>
            <a href={card.url}>{card.title}</a>
          </h2>
          <button type="button" className={styles.button} onClick={onNext ?? nowhere} disabled={!onNext}>
            <Icon name="next" />
            <VisuallyHidden>{t('lightbox.next')}</VisuallyHidden>
          </button>
        </div>
      </div>
    </dialog>
  )
}
