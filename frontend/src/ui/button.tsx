import { clsx } from 'clsx'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import styles from './button.module.css'

interface Look {
  variant?: 'primary' | 'outline' | 'quiet'
  size?: 'normal' | 'small'
  /** As wide as its place. */
  wide?: boolean
  children: ReactNode
}

export type ButtonProps = Look &
  ButtonHTMLAttributes<HTMLButtonElement> & {
    /** Work is under way: the button takes no further click; change its words with it. */
    busy?: boolean
  }

const classOf = ({ variant = 'primary', size = 'normal', wide }: Look) => clsx(styles.button, styles[variant], styles[size], wide && styles.wide)

export function Button({ variant, size, wide, busy = false, disabled = false, type = 'button', className, children, ...rest }: ButtonProps) {
  return (
    <button {...rest} type={type} disabled={disabled || busy} aria-busy={busy || undefined} className={clsx(classOf({ variant, size, wide, children }), className)}>
      {children}
    </button>
  )
}

/** A link that is the next step, and so looks like a button. `hidden` keeps its place; `native` leaves the click to the browser. */
export function ButtonLink({ href, native, hidden, className, ...look }: Look & { href: string; native?: boolean; hidden?: boolean; className?: string }) {
  return (
    <a href={href} data-native={native || undefined} className={clsx(classOf(look), hidden && styles.gone, className)}>
      {look.children}
    </a>
  )
}
