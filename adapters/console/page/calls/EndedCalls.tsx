import { api } from "../api/client.js"
import { useLoad } from "../api/load.js"
import { queryOf } from "../api/query.js"
import type { AttemptItem, AttemptsQuery } from "../api/types.js"
import { addressOf, navigate, place, setQuery } from "../state/location.js"
import { Badge } from "../ui/Badge.js"
import { Card, Empty, Skeleton } from "../ui/Card.js"
import { FailureNote } from "../ui/Note.js"
import { clockText, momentText, numberText } from "../ui/Time.js"
import { useMore } from "../ui/useMore.js"
import { type Column, VirtualTable } from "../ui/VirtualTable.js"

const pageSize = 100
const dayMillis = 86_400_000

const spans = [
  { days: "1", title: "Last day" },
  { days: "7", title: "Last week" },
  { days: "31", title: "Last month" },
  { days: "366", title: "Last year" }
]

const outcomeOf = ({ completion_status, connectivity_status }: AttemptItem) =>
  connectivity_status === null || connectivity_status === "connected" ? completion_status : connectivity_status

const columns: ReadonlyArray<Column<AttemptItem>> = [
  { title: "When", width: "minmax(88px, 1.4fr)", cell: ({ attempted_at }) => <span class="moment">{momentText(attempted_at).replace(/[ \u202f](?=[AP]M)/, "\u00a0")}</span> },
  { title: "Person", width: "minmax(64px, 1fr)", cell: ({ user_identifier }) => <b>{user_identifier}</b> },
  { title: "Number", width: "120px", from: 1, cell: ({ user_contact_masked }) => <span class="mono">{user_contact_masked}</span> },
  { title: "Outcome", width: "110px", cell: (attempt) => <Badge code={outcomeOf(attempt)} /> },
  { title: "Length", width: "70px", from: 1, cell: ({ duration_in_seconds: seconds }) => (seconds === null ? "–" : clockText(seconds)) },
  { title: "Language", width: "100px", from: 2, cell: ({ language_name }) => language_name ?? "–" },
  { title: "Reason", width: "minmax(0, 1.4fr)", from: 2, cell: ({ failure_reason }) => <span class="muted">{failure_reason ?? ""}</span> }
]

const conditions = (filters: ReadonlyArray<readonly [field: string, value: string]>) => {
  const set = filters.filter(([, value]) => value !== "").map(([field, value]) => ({ id: field, field, operator: "equals", value }))
  return set.length === 0 ? undefined : JSON.stringify(set)
}

/** Ended calls of an agent in a span of time, with filters that are in the address. */
export const EndedCalls = () => {
  const { query } = place.value
  const agents = useLoad(() => api().agents.list(), [])
  const apps = agents.state.value.data?.items ?? []
  const app = query.get("app") ?? apps[0]?.app_id ?? ""
  const [days, outcome, connected, person] = ["days", "completion", "connectivity", "person"].map((name) => query.get(name) ?? "")
  const total = useMore(
    async (offset: number | null) => {
      if (app === "") return { items: [], next: null }
      const end = Date.now() + dayMillis
      const page = await api().analytics.attempts(app, queryOf<AttemptsQuery>({
        start_datetime: new Date(end - (Number(days || "7") + 1) * dayMillis).toISOString(),
        end_datetime: new Date(end).toISOString(),
        limit: pageSize,
        offset: offset ?? 0,
        sort_by: "attempted_at",
        sort_order: "desc",
        filter_conditions: conditions([
          ["completion_status", outcome ?? ""],
          ["connectivity_status", connected ?? ""],
          ["user_identifier", person ?? ""]
        ])
      }))
      const loaded = page.offset + page.items.length
      return { items: page.items, next: page.items.length > 0 && loaded < page.total ? loaded : null }
    },
    [app, days, outcome, connected, person]
  )
  const { failure, isLoading, items } = total.state.value
  const select = (name: string, label: string, value: string, options: ReadonlyArray<readonly [string, string]>) => (
    <select class="input" aria-label={label} value={value} onChange={(event) => setQuery({ [name]: event.currentTarget.value })}>
      {options.map(([key, title]) => <option key={key} value={key}>{title}</option>)}
    </select>
  )
  return (
    <Card
      flush
      title={
        <div class="filters">
          {select("app", "Agent", app, apps.map(({ app_id, name }) => [app_id, name ?? app_id]))}
          {select("days", "Span", days || "7", spans.map((span) => [span.days, span.title]))}
          {select("connectivity", "Connection", connected ?? "", [["", "Connection"], ["connected", "Connected"], ["no_answer", "No answer"], ["busy", "Busy"], ["failed", "Failed"]])}
          {select("completion", "Completion", outcome ?? "", [["", "Completion"], ["completed", "Completed"], ["partial", "Partial"], ["failed", "Failed"]])}
          <input
            class="input"
            type="search"
            aria-label="Person, exact"
            placeholder="Person"
            value={person}
            onChange={(event) => setQuery({ person: event.currentTarget.value })}
          />
        </div>
      }
      actions={<span class="small muted number">{numberText(items.length)} shown</span>}
    >
      <FailureNote failure={agents.state.value.failure ?? failure} onRetry={total.reload} />
      {items.length === 0 && (isLoading || agents.state.value.isLoading) && <Skeleton lines={6} />}
      {items.length === 0 && !isLoading && failure === undefined && (
        <Empty title="No call in this span"><p>Choose a longer span, another agent, or fewer filters.</p></Empty>
      )}
      {items.length > 0 && (
        <VirtualTable
          label="Ended calls"
          columns={columns}
          rows={items}
          keyOf={({ attempt_id }) => attempt_id}
          onOpen={({ attempt_id }) => navigate(addressOf(["calls", attempt_id]))}
          onEnd={total.more}
        />
      )}
    </Card>
  )
}
