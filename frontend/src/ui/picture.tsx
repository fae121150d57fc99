import { clsx } from 'clsx/lite'
import type { Picture as PictureData } from '../api/content.ts'
import { imageAttributes, type PictureRole } from './picture-roles.ts'
import styles from './picture.module.css'

interface PictureProps {
  picture: PictureData
  /** Where it stands; this fixes its shape and which files fit. */
  role: PictureRole
  /** The one picture of the page that must come first. */
  eager?: boolean
  /** Beside words that say the same, a picture is silent. */
  decorative?: boolean
  className?: string
}

export function Picture({ picture, role, eager = false, decorative = false, className }: PictureProps) {
  return (
    <img
      {...imageAttributes(picture, role)}
      alt={decorative ? '' : picture.alt}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : undefined}
      decoding={eager ? undefined : 'async'}
      className={clsx(styles.picture, styles[role], className)}
    />
  )
}
