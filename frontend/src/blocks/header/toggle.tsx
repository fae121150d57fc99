import { Icon, type IconName } from '../../ui/icon.tsx'
import styles from './header.module.css'

interface ToggleProps {
  icon: IconName
  label: string
  open: boolean
  controls: string
  onToggle: (button: HTMLButtonElement) => void
  /** On wide windows, in words too. */
  showLabel?: boolean
}

interface PlainProps extends Pick<ToggleProps, 'icon' | 'label' | 'showLabel'> {
  href: string
}

/** Stands in the place of a toggle, which opens nothing without scripts. */
export function Plain({ icon, label, href, showLabel = false }: PlainProps) {
  return (
    <a className={styles.plain} href={href} aria-label={label} data-native>
      <Icon name={icon} />
      {showLabel && <span className={styles.name}>{label}</span>}
    </a>
  )
}

export function Toggle({ icon, label, open, controls, onToggle, showLabel = false }: ToggleProps) {
  return (
    <button
      type="button"
      className={styles.toggle}
      aria-expanded={open}
      aria-controls={open ? controls : undefined}
      aria-label={label}
      onClick={(event) => onToggle(event.currentTarget)}
    >
      <Icon name={open ? 'close' : icon} />
      {showLabel && <span className={styles.name}>{label}</span>}
    </button>
  )
}
