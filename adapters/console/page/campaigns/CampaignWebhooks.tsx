import { api } from "../api/client.js"
import { useLoad } from "../api/load.js"
import type { WebhookItem } from "../api/types.js"
import { addressOf } from "../state/location.js"
import { canChange } from "../state/session.js"
import { Badge } from "../ui/Badge.js"
import { Button } from "../ui/Button.js"
import { Card, Empty, Skeleton } from "../ui/Card.js"
import { Link } from "../ui/Link.js"
import { FailureNote } from "../ui/Note.js"
import { Table, type TableColumn } from "../ui/Table.js"
import { Time } from "../ui/Time.js"
import { reportDone } from "../ui/Toasts.js"

const columns = (send: (attempts: ReadonlyArray<string>) => Promise<void>): ReadonlyArray<TableColumn<WebhookItem>> => [
  { title: "Call", cell: ({ attempt_id }) => <Link class="mono" to={addressOf(["calls", attempt_id])}>{attempt_id}</Link> },
  { title: "State", cell: ({ status }) => <Badge code={status} /> },
  { title: "Tries", cell: ({ tries }) => tries },
  { title: "Answer", cell: ({ last_error, response_status }) => <>{response_status ?? "–"} {last_error && <span class="small muted">{last_error}</span>}</> },
  { title: "Latest", cell: ({ finished_at, started_at }) => <Time iso={finished_at ?? started_at} /> },
  { title: "Next try", cell: ({ next_try_at }) => <Time iso={next_try_at} /> },
  { title: "Actions", right: true, untitled: true, cell: ({ attempt_id }) =>
    canChange.value && <Button size="small" icon="refresh" label="Send again" onClick={() => send([attempt_id])} /> }
]

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
  const failedIds = data.items.filter(({ status }) => status === "failed").map(({ attempt_id }) => attempt_id)
  return (
    <Card
      flush
      title="Deliveries"
      actions={canChange.value && failedIds.length > 0 && (
        <Button icon="refresh" onClick={() => send(failedIds.slice(0, 200))}>Send {failedIds.length} failed again</Button>
      )}
    >
      <FailureNote failure={failure} onRetry={reload} />
      {data.items.length === 0
        ? <Empty title="No webhook yet"><p>Each ended attempt is reported to the address in the campaign's settings.</p></Empty>
        : <Table label="Deliveries" columns={columns(send)} rows={data.items} keyOf={({ attempt_id }) => attempt_id} />}
    </Card>
  )
}
