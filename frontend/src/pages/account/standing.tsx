import { ButtonLink } from '../../ui/button.tsx'
import styles from './order.module.css'

interface StandingProps {
  title: string
  text: string
  to: string
  action: string
}

/** In place of an order: what the reader has, or why there is nothing to order. */
export function Standing({ title, text, to, action }: StandingProps) {
  return (
    <section className={styles.standing}>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.standingText}>{text}</p>
      <ButtonLink href={to}>{action}</ButtonLink>
    </section>
  )
}
