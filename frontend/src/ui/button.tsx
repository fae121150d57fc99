import { clsx } from 'clsx/lite'
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import styles from './button.module.css'

interface Look {
  variant?: 'primary' | 'outline' | 'quiet'
  size?: 'normal' | 'small'
  /** As wide as its place. */
  wide?: boolean
  className?: string
}

const classOf = ({ variant = 'primary', size = 'normal', wide, className }: Look) =>
  clsx(styles.button, styles[variant], styles[size], wide && styles.wide, className)

export type ButtonProps = Look &
  ButtonHTMLAttributes<HTMLButtonElement> & {
    /** Work is under way: the button takes no further click; change its words with it. */
    busy?: boolean
    ref?: Ref<HTMLButtonElement>
    children: ReactNode
  }

export function Button({ variant, size, wide, className, busy = false, disabled = false, type = 'button', children, ...rest }: ButtonProps) {
  return (
    <button {...rest} type={type} disabled={disabled || busy} aria-busy={busy || undefined} className={classOf({ variant, size, wide, className })}>
      {children}
    </button>
  )
}

export type ButtonLinkProps = Look & AnchorHTMLAttributes<HTMLAnchorElement> & { href: string; children: ReactNode }

/** A link that is the next step, and so looks like a button. */
export function ButtonLink({ variant, size, wide, className, href, children, ...rest }: ButtonLinkProps) {
  return (
    <a {...rest} href={href} className={classOf({ variant, size, wide, className })}>
      {children}
    </a>
  )
}
