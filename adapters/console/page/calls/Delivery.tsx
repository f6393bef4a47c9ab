import { api } from "../api/client.js"
import { useLoad } from "../api/load.js"
import { canChange } from "../state/session.js"
import { Badge } from "../ui/Badge.js"
import { Button } from "../ui/Button.js"
import { Card, Skeleton } from "../ui/Card.js"
import { FailureNote } from "../ui/Note.js"
import { Time } from "../ui/Time.js"
import { reportDone } from "../ui/Toasts.js"

interface Props {
  readonly campaign: string
  readonly attempt: string
}

/** The webhook of a call, with sending it again. */
export const Delivery = ({ attempt, campaign }: Props) => {
  const { reload, state } = useLoad(() => api().webhooks.list(campaign, { attempt_id: attempt }), [campaign, attempt])
  const { data, failure } = state.value
  const item = data?.items[0]
  const send = async () => {
    await api().webhooks.resend(campaign, { attempt_ids: [attempt] })
    reportDone("Sending it again")
    reload()
  }
  return (
    <Card title="Webhook" actions={item && canChange.value && <Button size="small" icon="refresh" onClick={send}>Send again</Button>}>
      <FailureNote failure={failure} onRetry={reload} />
      {data === undefined && failure === undefined && <Skeleton lines={2} />}
      {data && item === undefined && <p class="muted">None: the campaign sends no webhook, or had none at the time.</p>}
      {item && (
        <dl class="facts">
          <dt>State</dt><dd><Badge code={item.status} /></dd>
          <dt>Address</dt><dd class="mono">{item.url}</dd>
          <dt>Answer</dt><dd>{item.response_status ?? "–"}</dd>
          <dt>Tries</dt><dd>{item.tries}</dd>
          {item.last_error && (
            <>
              <dt>Latest error</dt><dd>{item.last_error}</dd>
            </>
          )}
          <dt>Delivered</dt><dd><Time iso={item.finished_at} /></dd>
        </dl>
      )}
    </Card>
  )
}
