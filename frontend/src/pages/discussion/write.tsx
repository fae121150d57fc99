import { useState } from 'react'
import { setCommentName, writeComment } from '../../api/discussion.ts'
import { useUnsent } from '../../app/lost-session.tsx'
import { textOf } from '../../app/use-submit.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { Field } from '../../ui/field.tsx'
import { useShown } from './context.ts'
import styles from './discussion.module.css'
import { Form } from './form.tsx'

const randomKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

interface WriteProps {
  /** The thread that is answered; 0 opens one. */
  parent: number
}

/** The form of a comment. Its key stays until the comment is there, so that sending twice is writing once. */
export function Write({ parent }: WriteProps) {
  const t = useT()
  const { data, refresh, setOpen, goTo } = useShown()
  const { viewer, post, longest } = data
  const [key, setKey] = useState(viewer.key ?? '')
  const [written, setWritten] = useState(0)
  const unsent = useUnsent(`/api/discussion/${post.id}`)
  const lost = !written && unsent('parent') === String(parent) ? unsent('text') : undefined
  const draft = lost ?? (viewer.draft?.parent === parent ? viewer.draft.text : undefined)
  const send = async (form: FormData) => {
    const id = await writeComment(post.id, { text: textOf(form, 'text'), key, ...(parent ? { parent } : {}) })
    setKey(randomKey())
    await refresh()
    setWritten(written + 1)
    if (parent) setOpen(null)
    goTo(id)
  }
  const id = `write-${parent}`
  const label = parent ? t('discussion.replyLabel') : t('discussion.writeLabel')
  return (
    <Form action={`/api/discussion/${post.id}`} shows={['text']} asked={parent > 0} hidden={{ key, parent: String(parent) }} send={send}>
      {({ busy, fieldError }) => (
        <>
          <TextArea
            key={written}
            id={id}
            label={label}
            name="text"
            rows={4}
            maxLength={longest ?? 2000}
            required
            error={fieldError('text')}
            defaultValue={draft}
            hint={t('discussion.as', { name: viewer.name ?? '' })}
          />
          <div className={styles.buttons}>
            <Button type="submit" busy={busy}>
              {busy ? t('action.processing') : parent ? t('discussion.sendReply') : t('discussion.send')}
            </Button>
            {parent > 0 && <Cancel comment={parent} />}
          </div>
        </>
      )}
    </Form>
  )
}

/** Closes the open form; without scripts a link to the page without it. */
export function Cancel({ comment }: { comment: number }) {
  const t = useT()
  const { part, setOpen, goTo } = useShown()
  return (
    <a
      className={styles.action}
      href={`?${part.slice(0, -1)}#comment-${comment}`}
      data-native
      onClick={(event) => {
        event.preventDefault()
        setOpen(null)
        goTo(comment)
      }}
    >
      {t('discussion.cancel')}
    </a>
  )
}

/** Asks for the name under which a reader writes. */
export function Name({ back }: { back: string }) {
  const t = useT()
  const { refresh } = useShown()
  const unsent = useUnsent('/fns/user-comment-name')
  const send = async (form: FormData) => {
    await setCommentName(textOf(form, 'comment_name'))
    await refresh()
  }
  return (
    <Form action="/fns/user-comment-name" shows={['comment_name']} invalid="INVALID_COMMENT_NAME" hidden={{ referrer: back }} send={send}>
      {({ busy, fieldError }) => (
        <>
          <Field label={t('discussion.name')} name="comment_name" required maxLength={30} autoComplete="nickname" spellCheck={false} defaultValue={unsent('comment_name')} error={fieldError('comment_name')} hint={t('discussion.nameHint')} />
          <Button type="submit" busy={busy}>
            {busy ? t('action.processing') : t('discussion.nameSave')}
          </Button>
        </>
      )}
    </Form>
  )
}
