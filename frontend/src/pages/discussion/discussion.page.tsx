import { useEffect, useRef, type MouseEvent } from 'react'
import type { DiscussionData, DiscussionThread } from '../../api/discussion.ts'
import { useErrorWords } from '../../app/error-words.ts'
import type { PageProps } from '../../app/page-module.ts'
import { useSite } from '../../app/site-context.ts'
import { statusOf } from '../../app/status.ts'
import { LoadMore } from '../../blocks/load-more.tsx'
import { useAppIntl, useT } from '../../i18n/use-t.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { Comment } from './comment.tsx'
import { DiscussionContext, useShown } from './context.ts'
import styles from './discussion.module.css'
import { Entrance } from './entrance.tsx'
import { BackContext } from './form.tsx'
import { useDiscussion } from './use-discussion.ts'
import { Write } from './write.tsx'

/** What readers say about an article. The page stands in a frame below it, and by itself where scripts or frames do not work. */
export function Page({ page }: PageProps<DiscussionData>) {
  const t = useT()
  const { format } = useSite()
  const discussion = useDiscussion(page)
  const { data, next, busy, stale, arrived, part, open, more } = discussion
  const body = useHeight()
  const path = page.url.split('?')[0] ?? page.url
  const query = open ? `${part}${open.form}=${open.comment}` : part.slice(0, -1)
  const back = query ? `${path}?${query}` : path
  return (
    <DiscussionContext value={discussion}>
      <BackContext value={back}>
        <main id="content" className={styles.discussion} ref={body} aria-label={t('discussion.title')}>
          <header className={styles.head}>
            <h1 tabIndex={-1} className={styles.title}>
              {t('discussion.title')}
            </h1>
            {data.count > 0 && <p className={styles.total}>{t('discussion.total', { count: data.count, shown: format.number(data.count) })}</p>}
          </header>
          <div id="write">
            <Said url={page.url} />
            {!data.whole && <Entrance back={back} />}
          </div>
          <p role="status" className={styles.status}>
            {stale ? t('discussion.stale') : arrived > 0 && <VisuallyHidden>{t('discussion.arrived', { count: arrived })}</VisuallyHidden>}
          </p>
          {data.threads.length === 0 && <p className={styles.empty}>{t('discussion.empty')}</p>}
          <ol className={styles.threads}>
            {data.threads.map((thread) => (
              <li key={thread.id}>
                <Comment comment={thread} root />
                {(thread.replies.length > 0 || (open?.form === 'reply' && open.comment === thread.id)) && (
                  <ol className={styles.replies}>
                    {thread.replies.map((reply) => (
                      <li key={reply.id}>
                        <Comment comment={reply} />
                      </li>
                    ))}
                    {open?.form === 'reply' && open.comment === thread.id && data.viewer.state === 'writer' && (
                      <li>
                        <Write parent={thread.id} />
                      </li>
                    )}
                  </ol>
                )}
                {thread.more && <MoreReplies thread={thread} />}
              </li>
            ))}
          </ol>
          {data.whole && (
            <p className={styles.about}>
              <a href={data.whole} data-native>
                {t('discussion.whole')}
              </a>
            </p>
          )}
          <LoadMore more={{ next: next ?? null, loading: busy, load: () => void more() }} />
          <p className={styles.article}>
            <a href={data.post.url} target="_top">
              {t('discussion.article', { title: data.post.title })}
            </a>
          </p>
        </main>
      </BackContext>
    </DiscussionContext>
  )
}

/** The answers that follow: a link to their page, which fetches them into this one where scripts run. */
function MoreReplies({ thread }: { thread: DiscussionThread }) {
  const t = useT()
  const { busy, unfold } = useShown()
  const onClick = (event: MouseEvent) => {
    event.preventDefault()
    void unfold(thread)
  }
  return (
    <p className={styles.unfold}>
      <a className={styles.action} href={thread.more} aria-busy={busy} data-native onClick={onClick}>
        {t('discussion.moreReplies')}
      </a>
    </p>
  )
}

/** The outcome of a form that was sent without scripts. */
function Said({ url }: { url: string }) {
  const { t, has } = useAppIntl()
  const status = statusOf(url)
  const ready = useErrorWords(status !== null)
  if (!status || !ready || !has(`status.${status.code}`)) return null
  return (
    <p className={status.kind === 'error' ? styles.wrong : styles.right} role="alert">
      {t(`status.${status.code}`)}
    </p>
  )
}

/** Tells the page around the frame how high the discussion is. */
function useHeight() {
  const body = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = body.current
    if (!element || window.parent === window || typeof ResizeObserver === 'undefined') return
    element.dataset.framed = '' // the article stands around it: nothing leads there
    const observer = new ResizeObserver(() => {
      window.parent.postMessage({ discussion: Math.ceil(element.getBoundingClientRect().height) }, window.location.origin)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return body
}
