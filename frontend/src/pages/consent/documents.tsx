import type { ConsentDocument } from '../../api/content.ts'
import { asSafeHtml } from '../../api/html.ts'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Prose } from '../../ui/prose.tsx'
import styles from './terms.module.css'

/** Most versions are the day from which they hold. */
const isDay = /^\d{4}-\d\d-\d\d$/

/** The documents to agree to, a group each; their sections open with scripts or without. */
export function Documents({ documents }: { documents: readonly ConsentDocument[] }) {
  const t = useT()
  const { format } = useSite()
  return documents.map((document) => (
    <section key={document.id} className={styles.group} aria-labelledby={`terms-${document.id}`}>
      <h3 id={`terms-${document.id}`}>{document.title}</h3>
      <p className={styles.about}>
        {t('terms.version', { version: isDay.test(document.version) ? format.longDate(`${document.version}T12:00:00Z`) : document.version })} ·{' '}
        <a href={document.url} aria-describedby={`terms-${document.id}`} target="_blank" rel="noopener">
          {t('terms.open')}
        </a>
      </p>
      {document.sections.map((section, index) => (
        <Disclosure key={index} summary={section.title}>
          <Prose name={`${document.id}-${index}`} html={asSafeHtml(section.html)} />
        </Disclosure>
      ))}
    </section>
  ))
}
