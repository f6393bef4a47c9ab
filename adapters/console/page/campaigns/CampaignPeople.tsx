import { useSignal } from "@preact/signals"
import { api } from "../api/client.js"
import { queryOf } from "../api/query.js"
import type { ContactRecord, ContactsQuery } from "../api/types.js"
import { addressOf, place, setQuery } from "../state/location.js"
import { Badge, wordsOf } from "../ui/Badge.js"
import { Card, Empty, Skeleton } from "../ui/Card.js"
import { Dialog } from "../ui/Dialog.js"
import { Link } from "../ui/Link.js"
import { FailureNote, Note } from "../ui/Note.js"
import { useLoad } from "../api/load.js"
import { numberText, Time, withMoments } from "../ui/Time.js"
import { useMore } from "../ui/useMore.js"
import { type Column, VirtualTable } from "../ui/VirtualTable.js"

const pageSize = 250

const outcomeOf = ({ last_outcome }: ContactRecord) =>
  last_outcome === null
    ? null
    : last_outcome.connectivity_status === "connected" ? last_outcome.completion_status : last_outcome.connectivity_status ?? last_outcome.completion_status

const columns: ReadonlyArray<Column<ContactRecord>> = [
  { title: "Person", width: "minmax(0, 1.3fr)", cell: ({ user_identifier }) => <b>{user_identifier}</b> },
  { title: "Number", width: "150px", from: 1, cell: ({ user_phone_number }) => user_phone_number },
  { title: "State", width: "110px", cell: ({ state }) => <Badge code={state} live={state === "calling"} /> },
  { title: "Calls", width: "60px", from: 1, cell: ({ attempts }) => attempts },
  { title: "Last outcome", width: "120px", cell: (contact) => {
    const outcome = outcomeOf(contact)
    return outcome === null ? <span class="muted">–</span> : <Badge code={outcome} />
  } },
  { title: "Why", width: "minmax(0, 2fr)", from: 1, cell: ({ decision }) => <span class="muted">{withMoments(decision.explanation)}</span> }
]

/** Why a person is, or was not, called. */
const Why = ({ contact, onClose }: { readonly contact: ContactRecord; readonly onClose: () => void }) => {
  const { decision } = contact
  return (
    <Dialog title={contact.user_identifier} onClose={onClose}>
      <Note kind={contact.last_outcome?.completion_status === "completed" ? "ok" : decision.verdict === "never" ? "bad" : decision.verdict === "allow" ? "ok" : "warn"}>
        <p><b>{withMoments(decision.explanation)}</b></p>
        <p class="small">Decided <Time iso={decision.at} /></p>
      </Note>
      <dl class="facts">
        <dt>Number</dt><dd>{contact.user_phone_number}</dd>
        <dt>State</dt><dd><Badge code={contact.state} /></dd>
        <dt>Reason</dt><dd>{wordsOf(decision.reason)}</dd>
        <dt>Calls so far</dt><dd>{contact.attempts}</dd>
        <dt>Last outcome</dt><dd>{outcomeOf(contact) === null ? "–" : wordsOf(outcomeOf(contact) ?? "")}</dd>
        {contact.last_outcome?.next_action_status && (
          <>
            <dt>Next action</dt><dd>{wordsOf(contact.last_outcome.next_action_status)}</dd>
          </>
        )}
        <dt>Not before</dt><dd><Time iso={decision.not_before ?? contact.due_at} /></dd>
        <dt>List</dt><dd class="mono">{contact.cohort_id}</dd>
        {contact.attempts > 0 && contact.attempt_id === null && (
          <>
            <dt>Calls</dt><dd><Link to={addressOf(["calls"], { tab: "ended", person: contact.user_identifier })}>See them</Link></dd>
          </>
        )}
        {contact.attempt_id && (
          <>
            <dt>Latest call</dt><dd><Link to={addressOf(["calls", contact.attempt_id])}>{contact.attempt_id}</Link></dd>
          </>
        )}
      </dl>
    </Dialog>
  )
}

/** Reason why nobody is listed: there is no list, or its people are not due. */
const NotYet = ({ id }: { readonly id: string }) => {
  const { data } = useLoad(() => api().campaigns.progress(id), [id]).state.value
  if (data === undefined) return <Skeleton lines={1} />
  const { not_enrolled } = data.contacts
  return not_enrolled > 0
    ? (
      <>
        <p>{numberText(not_enrolled)} {not_enrolled === 1 ? "person waits in the" : "people wait in the"} lists. They appear here shortly before they are called.</p>
        {data.explanation && <p>{withMoments(data.explanation)}</p>}
      </>
    )
    : (
      <>
        <p>The people of a list appear here, each with the reason why they are, or are not, called.</p>
        <Link class="button" to={addressOf(["campaigns", id], { tab: "lists" })}>Upload a list</Link>
      </>
    )
}

export const CampaignPeople = ({ id }: { readonly id: string }) => {
  const { query } = place.value
  const [search, state, reason] = ["search", "state", "reason"].map((name) => query.get(name) ?? "")
  const chosen = useSignal<ContactRecord | null>(null)
  const list = useMore(
    async (after: string | null) => {
      const page = await api().campaigns.contacts(id, queryOf<ContactsQuery>({ limit: pageSize, search, state, reason, after }))
      return { items: page.items, next: page.items.length < pageSize ? null : page.cursors.after }
    },
    [id, search, state, reason],
    { everyMillis: 5000 }
  )
  const { failure, isLoading, items } = list.state.value
  const reasons = [...new Set(items.map(({ decision }) => decision.reason))]
  const isFiltered = [search, state, reason].some((value) => value !== "")
  return (
    <Card flush title={
      <div class="filters">
        <input
          class="input"
          type="search"
          aria-label="Search by identifier or number"
          placeholder="Identifier or number"
          value={search}
          onInput={(event) => setQuery({ search: event.currentTarget.value })}
        />
        <select class="input" aria-label="State" value={state} onChange={(event) => setQuery({ state: event.currentTarget.value })}>
          <option value="">Every state</option>
          {["waiting", "calling", "finished"].map((name) => <option key={name} value={name}>{wordsOf(name)}</option>)}
        </select>
        <select class="input" aria-label="Reason" value={reason} onChange={(event) => setQuery({ reason: event.currentTarget.value })}>
          <option value="">Every reason</option>
          {[...new Set([...reasons, ...(reason ? [reason] : [])])].map((name) => <option key={name} value={name}>{wordsOf(name)}</option>)}
        </select>
      </div>
    }>
      <FailureNote failure={failure} onRetry={list.reload} />
      {items.length === 0 && isLoading && <Skeleton lines={6} />}
      {items.length === 0 && !isLoading && failure === undefined && (
        <Empty title={isFiltered ? "Nobody matches" : "Nobody is due yet"}>
          {isFiltered
            ? <button class="button" onClick={() => setQuery({ search: null, state: null, reason: null })}>Show everybody</button>
            : <NotYet id={id} />}
        </Empty>
      )}
      {items.length > 0 && (
        <VirtualTable
          label="People"
          columns={columns}
          rows={items}
          keyOf={({ cohort_id, user_identifier, user_phone_number }) => `${cohort_id} ${user_identifier} ${user_phone_number}`}
          onOpen={(contact) => (chosen.value = contact)}
          onEnd={list.more}
        />
      )}
      {chosen.value && <Why contact={chosen.value} onClose={() => (chosen.value = null)} />}
    </Card>
  )
}
