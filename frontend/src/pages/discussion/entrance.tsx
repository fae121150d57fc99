import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { ButtonLink } from '../../ui/button.tsx'
import field from '../../ui/field.module.css'
import { useShown } from './context.ts'
import styles from './discussion.module.css'
import { Name, Write } from './write.tsx'

/** What this reader can do to be heard: write, choose a name, subscribe, log in, or wait. */
export function Entrance({ back }: { back: string }) {
  const t = useT()
  const { data } = useShown()
  if (data.viewer.state !== 'writer') return <Invitation />
  return (
    <div className={styles.entrance}>
      <div>{data.viewer.name ? <Write parent={0} /> : <Name back={back} />}</div>
      <aside className={styles.code} aria-label={t('discussion.code')}>
        <p className={field.label}>{t('discussion.code')}</p>
        <ul>
          <li>{t('discussion.code1')}</li>
          <li>{t('discussion.code2')}</li>
          <li>{t('discussion.code3')}</li>
        </ul>
        {data.code && (
          <a href={data.code} target="_top">
            {t('discussion.codeAll')}
          </a>
        )}
      </aside>
    </div>
  )
}

function Invitation() {
  const t = useT()
  const { href, format } = useSite()
  const { data } = useShown()
  const { state, ban, offer } = data.viewer
  const referrer = { referrer: data.post.url }
  if (state === 'banned') {
    return (
      <div className={styles.notice}>
        <p className={field.label}>{t('discussion.banned', { date: format.dateTime(ban?.until ?? '') })}</p>
        <p>{t('discussion.bannedWhy', { reason: ban?.reason ?? '' })}</p>
        {data.code && (
          <a href={data.code} target="_top">
            {t('discussion.codeAll')}
          </a>
        )}
      </div>
    )
  }
  const known = state === 'reader'
  return (
    <div className={styles.notice}>
      <p>{t(known ? 'discussion.forSubscribers' : 'discussion.login')}</p>
      {(!known || offer) && (
        <ButtonLink href={known ? href('account', {}, referrer) : href('login', {}, referrer)} target="_top">
          {t(known ? 'discussion.subscribe' : 'discussion.loginLink')}
        </ButtonLink>
      )}
    </div>
  )
}
