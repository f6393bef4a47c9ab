import { api } from "../api/client.js"
import { useLoad } from "../api/load.js"
import { addressOf } from "../state/location.js"
import { canChange } from "../state/session.js"
import { Badge } from "../ui/Badge.js"
import { Button } from "../ui/Button.js"
import { Card, Empty, Skeleton } from "../ui/Card.js"
import { Link } from "../ui/Link.js"
import { FailureNote } from "../ui/Note.js"
import { Time } from "../ui/Time.js"
import { reportDone } from "../ui/Toasts.js"

/** Deliveries of a campaign's webhooks, the latest first, with sending again. */
export const CampaignWebhooks = ({ id }: { readonly id: string }) => {
  const { reload, state } = useLoad(() => api().webhooks.list(id, { limit: 250 }), [id], { everyMillis: 5000 })
  const { data, failure } = state.value
  const send = async (attempts: ReadonlyArray<string>) => {
    await api().webhooks.resend(id, { attempt_ids: attempts })
    reportDone(`Sending ${attempts.length === 1 ? "it" : `${attempts.length} webhooks`} again`)
    reload()
  }
  if (data === undefined) return failure ? <FailureNote failure={failure} onRetry={reload} /> : <Skeleton lines={5} />
  const given = data.items.filter(({ status }) => status === "failed").map(({ attempt_id }) => attempt_id)
  return (
    <Card
      flush
      title="Deliveries"
      actions={canChange.value && given.length > 0 && (
        <Button icon="refresh" onClick={() => send(given.slice(0, 200))}>Send {given.length} failed again</Button>
      )}
    >
      <FailureNote failure={failure} onRetry={reload} />
      {data.items.length === 0
        ? <Empty title="No webhook yet"><p>Each ended attempt is reported to the address in the campaign's settings.</p></Empty>
        : (
          <div class="table-wrap" tabIndex={0} role="region" aria-label="Deliveries">
            <table>
              <thead><tr><th>Call</th><th>State</th><th>Tries</th><th>Answer</th><th>Latest</th><th>Next try</th><th><span class="visually-hidden">Actions</span></th></tr></thead>
              <tbody>
                {data.items.map((item) => (
                  <tr key={item.attempt_id}>
                    <td><Link class="mono" to={addressOf(["calls", item.attempt_id])}>{item.attempt_id}</Link></td>
                    <td><Badge code={item.status} /></td>
                    <td>{item.tries}</td>
                    <td>{item.response_status ?? "–"} {item.last_error && <span class="small muted">{item.last_error}</span>}</td>
                    <td><Time iso={item.finished_at ?? item.started_at} /></td>
                    <td><Time iso={item.next_try_at} /></td>
                    <td class="right">
                      {canChange.value && <Button size="small" icon="refresh" label="Send again" onClick={() => send([item.attempt_id])} />}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
    </Card>
  )
}
