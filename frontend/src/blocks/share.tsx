import { useEffect, useRef, useState } from 'react'
import { cachedOnServer } from '../app/server-cache.tsx'
import { useT } from '../i18n/use-t.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './share.module.css'

const networks: { icon: IconName; name: string; address: (url: string, title: string) => string }[] = [
  { icon: 'facebook', name: 'Facebook', address: (url) => `https://www.facebook.com/sharer/sharer.php?u=${url}` },
  { icon: 'twitter', name: 'X', address: (url, title) => `https://x.com/intent/post?url=${url}&text=${title}` },
  { icon: 'telegram', name: 'Telegram', address: (url, title) => `https://t.me/share/url?url=${url}&text=${title}` },
]

/** Ways to pass a page on: mail and networks as plain links, copying and the system's own sheet where scripts run. */
export const Share = cachedOnServer('share', function Share({ url, title: set }: { url: string; title: string }) {
  const t = useT()
  const [native, setNative] = useState(false)
  const { copied, copy } = useCopy(url)
  useEffect(() => setNative(typeof navigator.share === 'function'), [])

  const title = set.replace(/\s/g, ' ').replaceAll('\u2011', '-') // as it was typed: what is passed on is set elsewhere
  const [link, text] = [encodeURIComponent(url), encodeURIComponent(title)]
  const share = () => {
    navigator.share({ url, title }).catch(() => undefined) // the reader has thought better of it
  }
  return (
    <div className={styles.share} role="group" aria-label={t('share.title')} data-print="hide">
      <a className={styles.way} href={`mailto:?subject=${text}&body=${link}`} title={t('share.mail')}>
        <Icon name="mail" />
        <VisuallyHidden>{t('share.mail')}</VisuallyHidden>
      </a>
      {networks.map(({ icon, name, address }) => (
        <a key={name} className={styles.way} href={address(link, text)} target="_blank" rel="noopener" title={t('share.on', { network: name })}>
          <Icon name={icon} />
          <VisuallyHidden>{t('share.on', { network: name })}</VisuallyHidden>
        </a>
      ))}
      <button type="button" className={styles.scripted} onClick={copy} title={t('share.copy')}>
        <Icon name={copied ? 'check' : 'link'} />
        <VisuallyHidden>{t('share.copy')}</VisuallyHidden>
      </button>
      <button type="button" className={styles.scripted} onClick={share} hidden={!native} title={t('share.native')}>
        <Icon name="share" />
        <VisuallyHidden>{t('share.native')}</VisuallyHidden>
      </button>
      <span className={styles.copied} role="status">
        {copied && t('share.copied')}
      </span>
    </div>
  )
})

function useCopy(text: string) {
  const [copied, setCopied] = useState(false)
  const clock = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(clock.current), [])
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true)
        clearTimeout(clock.current)
        clock.current = setTimeout(() => setCopied(false), 3000)
      },
      () => undefined, // refused by the browser: nothing is claimed
    )
  }
  return { copied, copy }
}
