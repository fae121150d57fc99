import { useEffect, useState, type ComponentType } from 'react'
import { nameReader } from '../api/named-reader.ts'
import { Footer } from '../blocks/footer.tsx'
import { Header } from '../blocks/header/header.tsx'
import { ToTop } from '../blocks/to-top.tsx'
import { useT } from '../i18n/use-t.ts'
import { isSubscriber } from '../session/session.ts'
import { useSession } from '../session/use-session.ts'
import { useNavigationState } from './navigation.tsx'
import { Notification } from './notification.tsx'
import { PageView } from './page-view.tsx'
import type { PopupHostProps } from './popup-host.tsx'
import styles from './root.module.css'
import { useArrival } from './use-arrival.ts'

/** What stands around every page. */
export function Root() {
  const t = useT()
  const { loaded, location, pending } = useNavigationState()
  const page = loaded?.page
  const announcement = useArrival(page)
  const session = useSession()
  const tier = page?.tier ?? 'anonymous'
  const subscriber = session.status === 'unknown' ? tier === 'entitled' : isSubscriber(session)
  const [withdrawn, setWithdrawn] = useState(0)
  const [PopupHost, setPopupHost] = useState<ComponentType<PopupHostProps>>()

  // From here on everything answers: whoever measures or drives the page waits for this.
  useEffect(() => void performance.mark('hydrated'), [])
  useEffect(() => nameReader(page?.reader), [page])

  const video = page?.video
  const { section, card } = (page?.data ?? {}) as { section?: { key: string }; card?: { section?: { key: string } } }
  const framed = page?.route === 'discussion'
  useEffect(() => {
    if (framed) return
    import('./popup-host.tsx').then(
      (host) => setPopupHost(() => host.PopupHost),
      () => undefined, // offline, or deployed anew since: the next page asks
    )
  }, [framed])

  // What stands in a frame has the page around it for all of this.
  if (framed) return <PageView />
  return (
    <>
      <a className={styles.skip} href="#content" data-native>
        {t('skip.content')}
      </a>
      <Header pathname={location.pathname} session={session} tier={tier} section={(section ?? card?.section)?.key} />
      <div className={styles.progress} data-loading={pending || undefined} aria-hidden="true" />
      <main id="content" className={styles.main} tabIndex={-1} aria-busy={pending} data-subscriber={subscriber || undefined}>
        {video && (
          <noscript>
            <p>
              <a href={video.url}>{video.title}</a>
            </p>
          </noscript>
        )}
        <PageView />
      </main>
      <Footer onConsent={PopupHost && (() => setWithdrawn((times) => times + 1))} />
      <ToTop />
      <p className={styles.announcer} role="status">
        {announcement}
      </p>
      <Notification url={page?.url ?? ''} />
      {PopupHost && <PopupHost page={page} session={session} withdrawn={withdrawn} />}
    </>
  )
}
