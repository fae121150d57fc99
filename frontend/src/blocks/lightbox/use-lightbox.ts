import { useCallback, useEffect, useRef, useState, type ComponentType, type MouseEvent } from 'react'
import type { Card } from '../../api/content.ts'
import { fetchPage } from '../../api/page.ts'
import { useLocation, useNavigate } from '../../app/navigation.tsx'
import { queryValue } from '../../app/query.ts'
import { useSite } from '../../app/site-context.ts'
import { videoMarks, withVideo } from '../../app/status.ts'
import { useSession } from '../../session/use-session.ts'
import { useClaim } from './claims.ts'
import type { LightboxProps } from './lightbox.tsx'

export interface Playable extends Card {
  video: NonNullable<Card['video']>
}

/** What can be played here and now; a locked recording is opened on its own page. */
export const playable = (cards: Card[]): Playable[] => cards.filter((card): card is Playable => Boolean(card.video) && !card.locked)

/** In the history: this visit laid the video over the page, so going back takes it away. */
interface Opened {
  pushed?: boolean
}

/**
 * The videos of a row, played over the page. Which one is open stands in the address, so that it can be sent on and
 * "back" closes it. The player's code is fetched when it is first needed.
 */
export function useLightbox(cards: Card[], { claims = true } = {}) {
  const { format } = useSite()
  const navigate = useNavigate()
  const location = useLocation()
  const session = useSession()
  const [Lightbox, setLightbox] = useState<ComponentType<LightboxProps> | null>(null)
  const opener = useRef<HTMLElement | null>(null)
  // Only a click on a video lets another site be asked; what the address or an arrow opens waits for one.
  const [clicked, setClicked] = useState(0)
  const moved = useRef(false)
  const videos = playable(cards)
  const id = Number(queryValue(location.search, videoMarks[0]))
  const index = videos.findIndex((card) => card.id === id)
  const { pushed = false } = (location.state as Opened | null) ?? {}
  const here = location.pathname + location.search

  const show = (card: Card | undefined, replace: boolean) => {
    if (!card) return
    moved.current = true
    const state: Opened = { pushed: replace ? pushed : true }
    navigate(withVideo(here, { id: card.id, day: format.day(card.date) }), { state, replace, preventScrollReset: true })
  }

  const wanted = index >= 0
  useClaim(claims && wanted ? id : 0)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    if (!wanted || Lightbox || failed) return
    import('./lightbox.tsx').then(
      (module) => setLightbox(() => module.Lightbox),
      () => setFailed(true), // deployed anew since, or offline: the article has the video too
    )
  }, [wanted, Lightbox, failed])
  const lost = failed ? videos[index]?.url : undefined
  useEffect(() => {
    if (lost) window.location.assign(lost)
  }, [lost])

  // Readers have a record of the videos that they opened; the server keeps it by the address that it is asked for.
  const reader = session.status === 'reader'
  useEffect(() => {
    if (wanted && reader && moved.current) fetchPage(here).catch(() => undefined)
  }, [wanted, reader, here])

  useEffect(() => {
    if (wanted) return
    opener.current?.focus({ preventScroll: true })
    opener.current = null
  }, [wanted])

  const onClick = (event: MouseEvent<HTMLElement>) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const card = link && videos.find(({ url }) => url === link.getAttribute('href'))
    if (!card) return
    event.preventDefault()
    opener.current = link
    setClicked(card.id)
    show(card, false)
  }
  const close = useCallback(() => {
    if (pushed) navigate(-1)
    else navigate(withVideo(here), { replace: true, preventScrollReset: true })
  }, [navigate, pushed, here])

  const current = videos[index]
  const player =
    current && Lightbox
      ? {
          Lightbox,
          props: {
            card: current,
            place: { number: index + 1, total: videos.length },
            clicked: clicked === current.id,
            onPrevious: index > 0 ? () => show(videos[index - 1], true) : null,
            onNext: index < videos.length - 1 ? () => show(videos[index + 1], true) : null,
            onClose: close,
          } satisfies LightboxProps,
        }
      : null
  return { onClick, player }
}
