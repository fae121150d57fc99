import type { ProfileData } from '../../../api/content.ts'
import { useSite } from '../../../app/site-context.ts'
import { useT } from '../../../i18n/use-t.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import styles from './profile.module.css'
import sections from './sections.module.css'
import { Section } from './section.tsx'

/** What stands on the reader's invoices; lines that are empty are left out. */
export function Payment({ data }: { data: ProfileData }) {
  const t = useT()
  const { href } = useSite()
  const { payment } = data
  if (!payment) return null
  const company = payment.client_type === 'legal_entity'
  const lines: [label: string, values: string[]][] = [
    [t('profilePage.payment.client'), [t(company ? 'focusPage.data.legalEntity' : 'focusPage.data.individual')]],
    [t('focusPage.data.companyName'), [payment.company_name]],
    [t('focusPage.data.ico'), [payment.company_ICO]],
    [t('focusPage.data.dic'), [payment.company_DIC]],
    [t('focusPage.data.icDph'), [payment.company_IC_DPH]],
    [t('focusPage.data.contact'), [payment.name, payment.email]],
    [t('focusPage.data.address'), [payment.line1, payment.line2, `${payment.postal_code} ${payment.city}`.trim(), payment.countryName]],
  ]
  return (
    <Section title={t('profilePage.payment.title')}>
      {payment.stored ? (
        <dl className={styles.facts}>
          {lines.map(([label, values]) => {
            const filled = values.filter(Boolean)
            return (
              filled.length > 0 && (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    {filled.map((value) => (
                      <span key={value} className={sections.line}>
                        {value}
                      </span>
                    ))}
                  </dd>
                </div>
              )
            )
          })}
        </dl>
      ) : (
        <p>{t('profilePage.payment.none')}</p>
      )}
      <div className={sections.ways}>
        <ButtonLink href={href('focus', {}, { type: 'invoice_data' })} size="small" variant="outline">
          {t(payment.stored ? 'profilePage.payment.change' : 'profilePage.payment.set')}
        </ButtonLink>
      </div>
    </Section>
  )
}
