import { clsx } from 'clsx/lite'
import { likeComment, type DiscussionComment } from '../../api/discussion.ts'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import own from './comment.module.css'
import { useShown } from './context.ts'
import styles from './discussion.module.css'
import { Form } from './form.tsx'
import { Edit, Moderate, Report } from './forms.tsx'
import type { Form as FormName } from './use-discussion.ts'
import { Words } from './words.tsx'

interface CommentProps {
  comment: DiscussionComment
  /** Opens a thread, and so can be answered. */
  root?: boolean
}

/** What one reader has said, and what can be done about it. */
export function Comment({ comment, root = false }: CommentProps) {
  const t = useT()
  const { format } = useSite()
  const { data, open } = useShown()
  const { moderator } = data.viewer
  const { id, name, text, state, date, edited } = comment
  const gone = state === 'removed' || (state === 'hidden' && !moderator)
  const form = open?.comment === id ? open.form : undefined
  const Heading = root ? 'h2' : 'h3'
  return (
    <article id={`comment-${id}`} className={clsx(own.comment, state !== 'shown' && own.dim)} tabIndex={-1} aria-labelledby={`by-${id}`}>
      <header className={own.by}>
        <Heading id={`by-${id}`} className={own.name}>
          {gone ? t(state === 'removed' ? 'discussion.removed' : 'discussion.hidden') : name || t('discussion.nobody')}
        </Heading>
        <time dateTime={date}>{t('discussion.at', { date: format.longDate(date), time: format.time(date) })}</time>
        {edited && <span>{t('discussion.edited')}</span>}
        {!gone && state === 'hidden' && <span className={own.mark}>{t('discussion.hidden')}</span>}
        {comment.reports ? <span className={own.mark}>{t('discussion.reports', { count: comment.reports })}</span> : null}
      </header>
      {!gone && (
        <>
          <div className={own.words}>
            <Words text={text} />
          </div>
          <Actions comment={comment} root={root} />
        </>
      )}
      {form === 'edit' && comment.mine && <Edit comment={comment} />}
      {form === 'report' && <Report comment={comment} />}
      {form === 'moderate' && moderator && <Moderate comment={comment} />}
    </article>
  )
}

function Actions({ comment, root }: Required<CommentProps>) {
  const t = useT()
  const { data } = useShown()
  const { state, moderator } = data.viewer
  const { mine, editable, reported } = comment
  if (state === 'anonymous') return comment.likes > 0 ? <p className={styles.likes}>{t('discussion.likes', { count: comment.likes })}</p> : null
  return (
    <div className={styles.actions}>
      {state === 'writer' && !mine && comment.state === 'shown' ? (
        <Like comment={comment} />
      ) : (
        comment.likes > 0 && <span className={styles.likes}>{t('discussion.likes', { count: comment.likes })}</span>
      )}
      {root && state === 'writer' && data.viewer.name && comment.state === 'shown' && <Opener comment={comment} form="reply" words={t('discussion.reply')} />}
      {mine && <Opener comment={comment} form="edit" words={t(editable ? 'discussion.change' : 'discussion.remove')} />}
      {!mine && comment.state === 'shown' && (reported ? <span className={styles.done}>{t('discussion.reported')}</span> : <Opener comment={comment} form="report" words={t('discussion.report')} />)}
      {moderator && <Opener comment={comment} form="moderate" words={t('discussion.moderate')} />}
    </div>
  )
}

interface OpenerProps {
  comment: DiscussionComment
  form: FormName
  words: string
}

/** A link to the page with a form open; with scripts the form opens where it belongs. */
function Opener({ comment, form, words }: OpenerProps) {
  const t = useT()
  const { part, setOpen } = useShown()
  return (
    <a
      className={styles.action}
      href={`?${part}${form}=${comment.id}#comment-${comment.id}`}
      aria-label={t('discussion.doTo', { what: words, name: comment.name })}
      data-native
      onClick={(event) => {
        event.preventDefault()
        setOpen({ form, comment: comment.id })
      }}
    >
      {words}
    </a>
  )
}

function Like({ comment: { id, name, likes, liked = false } }: { comment: DiscussionComment }) {
  const t = useT()
  const { refresh } = useShown()
  const words = t('discussion.like')
  return (
    <Form action={`/api/comment/${id}/like`} hidden={{ liked: String(!liked) }} send={() => likeComment(id, !liked).then(refresh)}>
      {({ busy }) => (
        <button type="submit" className={styles.like} aria-pressed={liked} disabled={busy} aria-label={t('discussion.doTo', { what: t('discussion.likeCount', { count: likes }), name })}>
          {words} {likes > 0 && <span className={own.count}>{likes}</span>}
        </button>
      )}
    </Form>
  )
}
