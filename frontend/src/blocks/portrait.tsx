import type { Byline } from '../api/content.ts'
import { Icon } from '../ui/icon.tsx'
import { Picture } from '../ui/picture.tsx'
import type { PictureRole } from '../ui/picture-roles.ts'
import styles from './portrait.module.css'

/** Who writes, in a picture; an outline of somebody where there is none. */
export function Portrait({ author: { portrait }, role = 'author' }: { author: Byline; role?: PictureRole }) {
  if (portrait) return <Picture picture={portrait} role={role} decorative />
  return (
    <div className={styles.nobody}>
      <Icon name="profile" />
    </div>
  )
}
