import { useState } from 'react'
import type { Picture as PictureData, Video } from '../api/content.ts'
import { imageAttributes } from './picture-roles.ts'
import { Picture } from './picture.tsx'
import styles from './player.module.css'

/** Where a provider's film is watched without us, and the frame that plays it here. */
const providers = {
  youtube: (id: string) => ({ page: `https://www.youtube.com/watch?v=${id}`, frame: `https://www.youtube-nocookie.com/embed/${id}?autoplay=1` }),
  vimeo: (id: string) => ({ page: `https://vimeo.com/${id}`, frame: `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1` }),
}

interface PlayerProps {
  video: Video
  title: string
  poster?: PictureData | undefined
  /** Begin at once: the reader has asked for it by a click. */
  autoplay?: boolean
  /** How much of a file to fetch before it plays. */
  preload?: 'none' | 'metadata'
}

/**
 * A film in 16:9. Our own files play by the browser's controls, scripts or not. Of a provider nothing is loaded before
 * a click; without scripts the click leads to the provider's page.
 */
export function Player({ video, title, poster, autoplay = false, preload = 'none' }: PlayerProps) {
  const [started, setStarted] = useState(autoplay)
  if (video.kind === 'file') {
    return (
      // Words that are spoken are burnt into a newsroom's clips; there is no second file with them.
      // eslint-disable-next-line jsx-a11y/media-has-caption
      <video className={styles.player} src={video.src} poster={poster && imageAttributes(poster, 'article').src} aria-label={title} controls playsInline preload={autoplay ? 'auto' : preload} autoPlay={autoplay} />
    )
  }
  const { page, frame } = providers[video.kind](encodeURIComponent(video.src))
  if (started) {
    return <iframe className={styles.player} src={frame} title={title} allow="autoplay; encrypted-media; fullscreen; picture-in-picture" referrerPolicy="strict-origin-when-cross-origin" />
  }
  return (
    <a
      className={styles.facade}
      href={page}
      aria-label={title}
      data-native
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        setStarted(true)
      }}
    >
      {poster && <Picture className={styles.poster} picture={poster} role="article" decorative />}
    </a>
  )
}
