import type { ConsentData } from '../../api/content.ts'
import type { PageProps } from '../../app/page-module.ts'
import { NamedReader } from '../../app/lost-session.tsx'
import { useSite } from '../../app/site-context.ts'
import { FormPage } from '../../blocks/form-page.tsx'
import { answers } from './answers.ts'
import { Documents } from './documents.tsx'
import type { MessageId } from '../../gen/message-ids.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/button.tsx'
import styles from './consent.module.css'

const choices: Record<string, MessageId> = { all: 'consentPage.choice.all', necessary: 'consentPage.choice.necessary' }
const given: Record<string, MessageId> = { false: 'consentPage.answer.false', later: 'consentPage.answer.later', undefined: 'consentPage.answer.undefined' }

/** Every question about consent, with what was answered; plain forms, for browsers with scripts and without. */
export function Page({ page }: PageProps<ConsentData>) {
  const t = useT()
  const { edition } = useSite()
  const { choice, answer, documents } = page.data
  return (
    <FormPage title={t('consentPage.title')} lead={t('consentPage.lead')}>
      <section className={styles.part} aria-labelledby="consent-cookies">
        <h2 id="consent-cookies">{t('consentPage.cookies')}</h2>
        <p>{t('consent.text')}</p>
        <p className={styles.now}>{t(choices[choice] ?? 'consentPage.choice.none')}</p>
        <form method="post" action="/api/set-gdpr-consent-cookie" className={styles.pair}>
          <Button type="submit" name="consent" value="necessary" variant="outline">
            {t('consent.necessary')}
          </Button>
          <Button type="submit" name="consent" value="all" variant="outline">
            {t('consent.all')}
          </Button>
        </form>
      </section>
      <section className={styles.part} aria-labelledby="consent-documents">
        <h2 id="consent-documents">{t('consentPage.documents')}</h2>
        <p>{answer ? t('terms.text') : t('consentPage.visitor')} {answer && edition.consent.rejectLogsOut && t('terms.leaves')}</p>
        {answer && <p className={styles.now}>{t(given[answer] ?? 'consentPage.answer.agreed')}</p>}
        <Documents documents={documents} />
        {answer && (
          <form method="post" action="/api/set-consent-metadata" className={styles.three}>
            <NamedReader />
            {documents.map((document) => (
              <input key={document.id} type="hidden" name="shown" value={document.hash} />
            ))}
            {answers(edition).map(({ value, words }) => (
              <Button key={words} type="submit" name="consent" value={value} variant="outline">
                {t(words)}
              </Button>
            ))}
          </form>
        )}
      </section>
    </FormPage>
  )
}
