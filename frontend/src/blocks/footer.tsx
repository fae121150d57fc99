import { cachedOnServer } from '../app/server-cache.tsx'
import { useSite } from '../app/site-context.ts'
import { useT } from '../i18n/use-t.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { Count } from './header/count.tsx'
import styles from './footer.module.css'

/** The edition's groups of links, its social channels and the small print. Without onConsent, a page of its own asks about cookies. */
export const Footer = cachedOnServer('footer', function Footer({ onConsent }: { onConsent?: (() => void) | undefined }) {
  const t = useT()
  const { edition, href } = useSite()
  const { footer, editions } = edition.menus
  const groups = editions ? [...footer, { title: t('footer.editions'), items: editions }] : footer
  return (
    <footer className={styles.footer} aria-label={t('footer.label')} data-print="hide">
      <div className={styles.inner}>
        <a className={styles.logo} href={href('front')} aria-label={t('header.home', { name: edition.name })}>
          {edition.name}
        </a>
        <div id="sections" className={styles.groups}>
          {groups.map((group) => (
            <div key={group.title}>
              <h2 className={styles.title}>{group.title}</h2>
              <ul>
                {group.items.map((item) => (
                  <li key={item.url}>
                    <a href={item.url}>{item.name}</a>
                    <Count url={item.url} />
                  </li>
                ))}
              </ul>
            </div>
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
          <a
            href={href('consent')}
            onClick={(event) => {
              if (!onConsent || event.metaKey || event.ctrlKey || event.shiftKey) return
              event.preventDefault()
              onConsent()
            }}
          >
            {t('consent.settings')}
          </a>
        </div>
      </div>
    </footer>
  )
})
