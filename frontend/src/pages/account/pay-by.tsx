import { useT } from '../../i18n/use-t.ts'
import styles from './pay-by.module.css'

/** By card or by transfer. Without scripts it stands there whatever is chosen, and says for what a transfer is. */
export function PayBy({ hidden, way: chosen, onChange }: { hidden: boolean; way: string; onChange: (way: 'card' | 'iban') => void }) {
  const t = useT()
  return (
    <fieldset className={styles.ways} hidden={hidden}>
      <legend className={styles.legend}>{t('account.by')}</legend>
      {(['card', 'iban'] as const).map((way) => (
        <label key={way} className={styles.way}>
          <input
            type="radio"
            name="payment_method"
            value={way}
            checked={way === chosen}
            autoComplete="off"
            onChange={() => onChange(way)}
            className={styles.radio}
          />
          <span>
            {t(`account.by.${way}`)}
            {way === 'iban' && <small className={styles.hint}>{t('account.by.hint')}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
