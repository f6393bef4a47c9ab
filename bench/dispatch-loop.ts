import Database from "better-sqlite3"
import { mkdirSync } from "node:fs"
import { join } from "node:path"

type Row = Readonly<Record<string, unknown>>

/** Rows per commit. */
const batch = 200

const [, , from = "", folder = ""] = process.argv

mkdirSync(folder, { recursive: true })
const source = new Database(from, { readonly: true })
const target = new Database(join(folder, "loop.db"))
target.pragma("journal_mode = WAL")
target.pragma("synchronous = FULL")
target.pragma("wal_autocheckpoint = 250")
target.function("lower", { deterministic: true }, (value) => typeof value === "string" ? value.toLowerCase() : value)

const schema = source.prepare<[], { readonly sql: string }>(
  "select sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by rowid"
)
for (const { sql } of schema.all()) target.exec(sql)

const rowsOf = (table: string, order: string): ReadonlyArray<Row> =>
  source.prepare<[], Row>(`select * from ${table} order by ${order}`).all()

const columnsOf = (table: string) =>
  source.prepare<[], { readonly name: string; readonly hidden: number }>(`pragma table_xinfo(${table})`).all()
    .filter(({ hidden }) => hidden === 0)
    .map(({ name }) => name)

const insertInto = (table: string) => {
  const columns = columnsOf(table)
  const insert = target.prepare(
    `insert into ${table} (${columns.join(", ")}) values (${columns.map((name) => `@${name}`).join(", ")})`
  )
  return (row: Row) => void insert.run(row)
}

const contacts = rowsOf("contacts", "campaign_id, seat")
const people = rowsOf("contact_people", "campaign_id, seat")
const attempts = rowsOf("attempts", "attempt_id")
const calls = rowsOf("calls", "attempt_id")
const facts = rowsOf("facts", "seq")
const outbox = rowsOf("outbox", "seq")
const bodies = rowsOf("outbox_bodies", "seq")

const insertContact = insertInto("contacts")
const insertReady = insertInto("ready")
target.transaction(() => {
  for (const row of rowsOf("dispatch", "campaign_id")) {
    insertInto("dispatch")({ ...row, waiting: contacts.length, calling: 0, finished: 0, busy: 0 })
  }
  people.forEach(insertInto("contact_people"))
  for (const row of contacts) {
    insertContact({ ...row, state: "waiting", attempts: 0, attempt_id: null, called_from: "" })
    insertReady(row)
  }
  rowsOf("webhook_endpoints", "endpoint_id").forEach(insertInto("webhook_endpoints"))
})()

const nextReady = target.prepare<{ readonly campaign_id: unknown; readonly limit: number }>(
  `select contacts.*, person.body from ready
    cross join contacts on contacts.campaign_id = ready.campaign_id and contacts.seat = ready.seat
    cross join contact_people as person on person.campaign_id = ready.campaign_id and person.seat = ready.seat
    where ready.campaign_id = @campaign_id order by ready.due_at, ready.seat limit @limit`
)
const leave = target.prepare(
  "delete from ready where campaign_id = @campaign_id and due_at = @due_at and seat = @seat"
)
const callContact = target.prepare(
  `update contacts set state = 'calling', attempts = 1, attempt_id = @attempt_id, called_from = @called_from,
    verdict = 'allow', reason = 'allowed' where campaign_id = @campaign_id and seat = @seat`
)
const finishContact = target.prepare(
  `update contacts set state = 'finished', attempt_id = null, verdict = @verdict, reason = @reason,
    decided_at = @decided_at, completion_status = @completion_status, connectivity_status = @connectivity_status
    where campaign_id = @campaign_id and seat = @seat`
)
const counted = target.prepare(
  `update dispatch set waiting = waiting - @claimed, calling = calling + @claimed - @ended,
    finished = finished + @ended,
    outcomes = json_set(outcomes, '$.busy', coalesce(outcomes ->> '$.busy', 0) + @ended) where campaign_id = @campaign_id`
)
const insertAttempt = insertInto("attempts")
const acceptAttempt = target.prepare(
  "update attempts set state = 'accepted', provider_call_id = @provider_call_id where attempt_id = @attempt_id"
)
const endAttempt = target.prepare(
  "update attempts set state = 'ended', result = @result where attempt_id = @attempt_id"
)
const [insertCall, insertFact, insertWebhook, insertBody] = ["calls", "facts", "outbox", "outbox_bodies"].map(
  insertInto
)
const headOf = target.prepare(
  "update webhook_endpoints set head_at = min(coalesce(head_at, 0), 0) where endpoint_id = 1"
)

const [started, before] = [performance.now(), process.cpuUsage()]
for (let at = 0; at < attempts.length; at += batch) {
  const some = attempts.slice(at, at + batch)
  const seated = contacts.slice(at, at + batch)
  const campaign_id = seated[0]?.["campaign_id"]
  target.transaction(() => {
    nextReady.all({ campaign_id, limit: some.length })
    some.forEach((attempt, index) => {
      const contact = { ...seated[index], attempt_id: attempt["attempt_id"] }
      leave.run(contact)
      callContact.run(contact)
      insertAttempt({ ...attempt, state: "claimed", provider_call_id: null, result: null })
    })
    counted.run({ campaign_id, claimed: some.length, ended: 0 })
  })()
  target.transaction(() => some.forEach((attempt) => acceptAttempt.run(attempt)))()
  target.transaction(() => {
    some.forEach((attempt, index) => {
      endAttempt.run(attempt)
      finishContact.run(seated[index])
      for (
        const [insert, row] of [
          [insertCall, calls[at + index]],
          [insertFact, facts[at + index]],
          [insertWebhook, outbox[at + index]],
          [insertBody, bodies[at + index]]
        ] as const
      ) {
        if (row !== undefined) insert?.({ ...row, ...(insert === insertWebhook && { state: "pending" }) })
      }
    })
    headOf.run()
    counted.run({ campaign_id, claimed: 0, ended: some.length })
  })()
}

const { system, user } = process.cpuUsage(before)
process.send?.({
  attempts: attempts.length,
  seconds: (performance.now() - started) / 1000,
  micros: (system + user) / attempts.length
})
