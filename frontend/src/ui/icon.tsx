import sprite from './icons.svg'
import styles from './icon.module.css'

export type IconName =
  | 'menu' | 'close' | 'search' | 'profile' | 'lock' | 'play' | 'pause' | 'previous' | 'next' | 'check' | 'comment'
  | 'share' | 'mail' | 'link' | 'facebook' | 'instagram' | 'twitter' | 'tiktok' | 'telegram' | 'youtube' | 'rss'

/** A sign in the text's colour and size. It says nothing by itself: words stand beside it, visible or hidden. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={styles.icon} aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  )
}
