import { banWriter, editComment, hideComment, removeComment, reportComment, reportReasons, restoreComment, unbanWriter, type DiscussionComment, type ReportReason } from '../../api/discussion.ts'
import { useUnsent } from '../../app/lost-session.tsx'
import { textOf } from '../../app/use-submit.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/button.tsx'
import field from '../../ui/field.module.css'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { useShown } from './context.ts'
import styles from './discussion.module.css'
import { Form } from './form.tsx'
import { Cancel } from './write.tsx'

interface FormsProps {
  comment: DiscussionComment
}

/** After something was done: the discussion as it is now, and the focus where it was done. */
function useDone(id: number) {
  const { refresh, setOpen, goTo } = useShown()
  return async () => {
    await refresh()
    setOpen(null)
    goTo(id)
  }
}

/** Changes an own comment while it is young, or takes it back. */
export function Edit({ comment: { id, text, editable } }: FormsProps) {
  const t = useT()
  const { data } = useShown()
  const unsent = useUnsent(`/api/comment/${id}/edit`)
  const done = useDone(id)
  return (
    <div className={styles.panel}>
      {editable && (
        <Form action={`/api/comment/${id}/edit`} asked shows={['text']} send={(form) => editComment(id, textOf(form, 'text')).then(done)}>
          {({ busy, fieldError }) => (
            <>
              <TextArea
                id={`edit-${id}`}
                label={t('discussion.editLabel')}
                name="text"
                rows={4}
                maxLength={data.longest ?? 2000}
                required
                defaultValue={unsent('text') ?? text}
                error={fieldError('text')}
                hint={t('discussion.editHint')}
              />
              <Button type="submit" busy={busy}>
                {busy ? t('action.processing') : t('discussion.save')}
              </Button>
            </>
          )}
        </Form>
      )}
      <Form action={`/api/comment/${id}/remove`} send={() => removeComment(id).then(done)}>
        {({ busy }) => (
          <div className={styles.buttons}>
            <span>{t('discussion.removeAsk')}</span>
            <Button type="submit" variant="outline" size="small" busy={busy}>
              {t('discussion.remove')}
            </Button>
            <Cancel comment={id} />
          </div>
        )}
      </Form>
    </div>
  )
}

/** Tells the moderators what is wrong with a comment. */
export function Report({ comment: { id } }: FormsProps) {
  const t = useT()
  const done = useDone(id)
  const unsent = useUnsent(`/api/comment/${id}/report`)
  const send = (form: FormData) => reportComment(id, textOf(form, 'reason') as ReportReason, textOf(form, 'note')).then(done)
  return (
    <div className={styles.panel}>
      <Form action={`/api/comment/${id}/report`} asked shows={['note']} send={send}>
        {({ busy, fieldError }) => (
          <>
            <fieldset>
              <legend className={field.label}>{t('discussion.reportAsk')}</legend>
              {reportReasons.map((reason, index) => (
                <label key={reason} className={styles.reason}>
                  <input type="radio" name="reason" value={reason} defaultChecked={unsent('reason') ? unsent('reason') === reason : index === 0} />
                  {t(`discussion.reason.${reason}`)}
                </label>
              ))}
            </fieldset>
            <Field label={t('discussion.note')} name="note" maxLength={500} autoComplete="off" defaultValue={unsent('note')} error={fieldError('note')} hint={t('discussion.noteHint')} />
            <div className={styles.buttons}>
              <Button type="submit" busy={busy}>
                {busy ? t('action.processing') : t('discussion.reportSend')}
              </Button>
              <Cancel comment={id} />
            </div>
          </>
        )}
      </Form>
    </div>
  )
}

const days = [1, 7, 30, 365]

/** Hides or restores a comment, and keeps its writer from writing for a while. */
export function Moderate({ comment: { id, state, reports = 0 } }: FormsProps) {
  const t = useT()
  const done = useDone(id)
  const hidden = state === 'hidden'
  const reason = (form: FormData) => textOf(form, 'reason')
  const unsentHide = useUnsent(`/api/comment/${id}/hide`)
  const unsentBan = useUnsent(`/api/comment/${id}/ban`)
  return (
    <div className={styles.panel}>
      {!hidden && (
        <Form action={`/api/comment/${id}/hide`} asked send={(form) => hideComment(id, reason(form)).then(done)}>
          {({ busy }) => (
            <>
              <Field label={t('discussion.why')} name="reason" maxLength={500} autoComplete="off" defaultValue={unsentHide('reason')} />
              <Button type="submit" busy={busy}>
                {t('discussion.hide')}
              </Button>
            </>
          )}
        </Form>
      )}
      {(hidden || reports > 0) && (
        <Form action={`/api/comment/${id}/restore`} send={() => restoreComment(id, '').then(done)}>
          {({ busy }) => (
            <Button type="submit" variant={hidden ? 'primary' : 'outline'} busy={busy}>
              {t(hidden ? 'discussion.restore' : 'discussion.keep')}
            </Button>
          )}
        </Form>
      )}
      <Form action={`/api/comment/${id}/ban`} shows={['reason']} send={(form) => banWriter(id, Number(textOf(form, 'days')), reason(form)).then(done)}>
        {({ busy, fieldError }) => (
          <>
            <label className={field.label}>
              {t('discussion.banFor')}{' '}
              <select name="days" className={styles.select} defaultValue={unsentBan('days') ?? 7}>
                {days.map((count) => (
                  <option key={count} value={count}>
                    {t('discussion.days', { count })}
                  </option>
                ))}
              </select>
            </label>
            <Field label={t('discussion.banWhy')} name="reason" required maxLength={500} autoComplete="off" defaultValue={unsentBan('reason')} error={fieldError('reason')} hint={t('discussion.banHint')} />
            <Button type="submit" variant="outline" busy={busy}>
              {t('discussion.ban')}
            </Button>
          </>
        )}
      </Form>
      <Form action={`/api/comment/${id}/unban`} send={() => unbanWriter(id, '').then(done)}>
        {({ busy }) => (
          <div className={styles.buttons}>
            <Button type="submit" variant="quiet" busy={busy}>
              {t('discussion.unban')}
            </Button>
            <Cancel comment={id} />
          </div>
        )}
      </Form>
    </div>
  )
}
