import type { ReactNode } from 'react'
import { useSite } from '../app/site-context.ts'
import { useT } from '../i18n/use-t.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { Count } from './header/count.tsx'
import styles from './footer.module.css'

/** Sections, the edition's own groups of links, social channels and the small print. */
export function Footer({ onConsent }: { onConsent: () => void }) {
  const t = useT()
  const { edition, href } = useSite()
  return (
    <footer className={styles.footer} aria-label={t('footer.label')} data-print="hide">
      <div className={styles.inner}>
        <a className={styles.logo} href={href('front')} aria-label={t('header.home', { name: edition.name })}>
          {edition.name}
        </a>
        <div className={styles.groups}>
          <Group title={t('footer.categories')}>
            {edition.categories.map((category) => (
              <li key={category.slug}>
                <a href={href('category', { categorySlug: category.slug })}>{category.name}</a>
              </li>
            ))}
          </Group>
          {edition.menus.footer.map((group) => (
            <Group key={group.title} title={group.title}>
              {group.items.map((item) => (
                <li key={item.url}>
                  <a href={item.url}>{item.name}</a>
                  <Count url={item.url} />
                </li>
              ))}
            </Group>
          ))}
        </div>
        <ul className={styles.social} aria-label={t('footer.social')}>
          {edition.menus.social.map(({ icon, url }) => (
            <li key={url}>
              <a href={url} rel="noopener">
                <Icon name={icon as IconName} />
                <VisuallyHidden>{icon}</VisuallyHidden>
              </a>
            </li>
          ))}
        </ul>
        <div className={styles.end}>
          <p>{t('footer.copyright', { name: edition.name })}</p>
          <a href={`mailto:${edition.supportEmail}`}>{t('footer.support')}</a>
          <button type="button" onClick={onConsent}>
            {t('consent.settings')}
          </button>
        </div>
      </div>
    </footer>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 className={styles.title}>{title}</h2>
      <ul>{children}</ul>
    </div>
  )
}
