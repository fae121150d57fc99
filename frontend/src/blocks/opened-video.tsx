import type { Card } from '../api/content.ts'
import { useClaimed } from './lightbox/claims.ts'
import { useLightbox } from './lightbox/use-lightbox.ts'

/** The video that the address lays over a page, where no row of the page plays it. */
export function OpenedVideo({ card }: { card: Card }) {
  const claimed = useClaimed(card.id)
  return claimed ? null : <Alone card={card} />
}

function Alone({ card }: { card: Card }) {
  const { player } = useLightbox([card], { claims: false })
  return player && <player.Lightbox {...player.props} />
}
