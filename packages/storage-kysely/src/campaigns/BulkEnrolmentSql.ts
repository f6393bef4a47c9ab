import { arrivingContact, BulkEnrolment, type BulkStep } from "@trunkline/campaigns"
import { type CampaignId, CohortId, PhoneNumber, unchecked } from "@trunkline/kernel"
import { Effect, Layer } from "effect"
import { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { type SqlValue, statement, type Statements } from "../sql/Statement.js"
import { contactColumns, contactValues } from "./ContactRows.js"

/** Rows per statement, so that none runs for long. */
const chunk = 256

const ofCampaign = "org_id = ? and workspace_id = ? and owner_kind = 'campaign' and owner_id = ?"
const nextFile = `
  select number, cohort_id, completed_seq from cohorts
  where ${ofCampaign} and cohort_category = ? and completed_seq >= ? order by completed_seq limit 1
`
const nextRows = `
  select max(row) as last, count(*) as people from (
    select row from cohort_people where cohort_number = ? and row > ? order by row limit ${chunk}
  ) as next_rows
`
const rows = "cohort_number = ? and row > ? and row <= ?"
const isStopped = ({ orderedJoin }: SqlDialect) => `
  exists (
    select 1 from cohorts ${
  orderedJoin("cohort_callers", {
    as: "stop",
    on: "stop.phone = arrival.phone and stop.cohort_number = cohorts.number"
  })
}
    where ${ofCampaign} and cohort_category = 'stop_file' and completed_seq is not null
  )
`
/** The columns that the contacts of a step share. */
const sharedColumns = contactColumns.slice(3)

/** The texts that enrol some rows, whose seats follow from a column. */
const enrolmentTexts = (dialect: SqlDialect, place: string) => {
  const arrivals = `(select ? + ${place} as seat, phone, body from cohort_people where ${rows}) as arrival`
  const contacts = (condition: string) => `
    insert into contacts (campaign_id, ${contactColumns.join(", ")})
    select ?, seat, '+' || phone, ${dialect.firstText("body")}, ${sharedColumns.map(() => "?").join(", ")}
    from ${arrivals} where ${condition}
    on conflict (campaign_id, user_phone_number) do nothing
  `
  const people = `
    insert into contact_people (campaign_id, seat, body) select ?, seat, ${
    dialect.withFirstText("body")
  } from ${arrivals}
  `
  return {
    all: contacts("true"),
    stopped: contacts(isStopped(dialect)),
    others: contacts(`not ${isStopped(dialect)}`),
    people,
    newPeople: `
      ${people} where exists (select 1 from contacts where campaign_id = ? and contacts.seat = arrival.seat)
    `
  }
}
/** The texts in which the databases differ. */
const textsOf = (dialect: SqlDialect) => ({
  position: `
    select completed_seq, row, stops_seq, stops_row, taken from dispatch where campaign_id = ? ${dialect.forUpdate}
  `,
  /** For rows without gaps between them, whose places need no counting. The seat before them is that of row 0. */
  gapless: enrolmentTexts(dialect, "row"),
  counted: enrolmentTexts(dialect, "row_number() over (order by row)"),
  leaveQueue: `
    delete from ready where (campaign_id, due_at, seat) in (
      select contacts.campaign_id, due_at, contacts.seat from cohort_people as stop
      ${dialect.orderedJoin("contacts", { on: "contacts.campaign_id = ? and user_phone_number = '+' || stop.phone" })}
      where ${rows} and state = 'waiting'
    )
  `,
  finish: `
    update contacts ${dialect.indexedBy("contacts_by_number")}
    set state = 'finished', verdict = ?, reason = ?, decided_at = ?, not_before = ?
    where campaign_id = ? and user_phone_number in (select '+' || phone from cohort_people where ${rows})
    and state = 'waiting'
  `
})
type Texts = ReturnType<typeof textsOf>

const insertReady = `
  insert into ready (campaign_id, due_at, seat)
  select campaign_id, due_at, seat from contacts where campaign_id = ? and seat > ? and seat <= ? and state = 'waiting'
`
const advance = `
  insert into dispatch (campaign_id, completed_seq, row, taken, waiting, finished) values (?, ?, ?, ?, ?, ?)
  on conflict (campaign_id) do update set
    completed_seq = excluded.completed_seq, row = excluded.row, taken = dispatch.taken + excluded.taken,
    waiting = dispatch.waiting + excluded.waiting, finished = dispatch.finished + excluded.finished
`

const advanceStops = `
  insert into dispatch (campaign_id, completed_seq, row, stops_seq, stops_row) values (?, 0, 0, ?, ?)
  on conflict (campaign_id) do update set
    stops_seq = excluded.stops_seq, stops_row = excluded.stops_row,
    waiting = dispatch.waiting - ?, finished = dispatch.finished + ?
`

interface Position {
  readonly completed_seq: number
  readonly row: number
}

/** Some rows of a cohort or stop file, which begin after `from` and end with the position. */
interface Range extends Position {
  readonly number: number
  readonly cohort_id: string
  readonly from: number
  readonly people: number
}

const ownerOf = ({ campaign_id, scope }: BulkStep): ReadonlyArray<SqlValue> => [
  scope.org_id,
  scope.workspace_id,
  campaign_id
]

/** The next rows of the completed files of a campaign after a position. */
function* rowsAfter(
  owner: ReadonlyArray<SqlValue>,
  category: "cohort" | "stop_file",
  after: Position
): Statements<Range | undefined> {
  let { completed_seq, row } = after
  for (;;) {
    const { rows: [file] } = yield* statement<Pick<Range, "cohort_id" | "completed_seq" | "number">>(
      nextFile,
      [...owner, category, completed_seq]
    )
    if (file === undefined) return undefined
    const from = file.completed_seq === completed_seq ? row : 0
    const { rows: [totals] } = yield* statement<{ readonly last: number | null; readonly people: number }>(
      nextRows,
      [file.number, from]
    )
    if (totals !== undefined && totals.last !== null) return { ...file, from, row: totals.last, people: totals.people }
    completed_seq = file.completed_seq + 1
    row = 0
  }
}

/** Runs a statement that writes; returns the number of rows. */
function* change(text: string, values: ReadonlyArray<SqlValue>): Statements<number> {
  const { numAffectedRows } = yield* statement(text, values)
  return Number(numAffectedRows)
}

const nobody = {
  user_phone_number: PhoneNumber.make("", unchecked),
  user_identifier: "",
  cohort_id: CohortId.make("", unchecked),
  agent_variables: {},
  app_overrides: {}
}

/** The values of the shared columns. */
const sharedValues = (campaign: CampaignId, now: number, wasStopped: boolean) =>
  contactValues(arrivingContact(campaign, nobody, now, wasStopped), 0).slice(3)

function* enrol({ counted, gapless, position }: Texts, step: BulkStep & { readonly now: number }): Statements<number> {
  const { campaign_id, limit, now } = step
  const owner = ownerOf(step)
  const { rows: [startPosition] } = yield* statement<Position & { readonly stops_seq: number; readonly taken: number }>(
    position,
    [campaign_id]
  )
  const before = startPosition ?? { completed_seq: 0, row: 0, stops_seq: 0, taken: 0 }
  const arriving = sharedValues(campaign_id, now, false)
  const stopping = sharedValues(campaign_id, now, true)
  let [read, waiting, finished] = [0, 0, 0]
  let at: Position = before
  while (read < limit) {
    const range = yield* rowsAfter(owner, "cohort", at)
    if (range === undefined) break
    const first = before.taken + read
    const isGapless = range.row - range.from === range.people
    const texts = isGapless ? gapless : counted
    const arrivals = [isGapless ? first - range.from : first, range.number, range.from, range.row]
    const additions = before.stops_seq === 0
      ? yield* change(texts.all, [campaign_id, ...arriving, ...arrivals])
      : yield* change(texts.others, [campaign_id, ...arriving, ...arrivals, ...owner])
    const stopCount = before.stops_seq === 0
      ? 0
      : yield* change(texts.stopped, [campaign_id, ...stopping, ...arrivals, ...owner])
    const people = [campaign_id, range.cohort_id, ...arrivals]
    if (additions + stopCount === range.people) yield* statement(texts.people, people)
    else yield* statement(texts.newPeople, [...people, campaign_id])
    if (additions > 0) yield* statement(insertReady, [campaign_id, first, first + range.people])
    read += range.people
    waiting += additions
    finished += stopCount
    at = range
  }
  if (read > 0) yield* statement(advance, [campaign_id, at.completed_seq, at.row, read, waiting, finished])
  return read
}

function* stop(
  { finish, leaveQueue, position }: Texts,
  step: BulkStep & { readonly decision: Parameters<BulkEnrolment.Service["stop"]>[0]["decision"] }
) {
  const { campaign_id, decision, limit } = step
  const owner = ownerOf(step)
  const { rows: [startPosition] } = yield* statement<{ readonly stops_seq: number; readonly stops_row: number }>(
    position,
    [campaign_id]
  )
  const decisionValues = [decision.verdict, decision.reason, decision.at, decision.not_before]
  let [read, finished] = [0, 0]
  let at: Position = { completed_seq: startPosition?.stops_seq ?? 0, row: startPosition?.stops_row ?? 0 }
  while (read < limit) {
    const range = yield* rowsAfter(owner, "stop_file", at)
    if (range === undefined) break
    const stops = [campaign_id, range.number, range.from, range.row]
    yield* statement(leaveQueue, stops)
    finished += yield* change(finish, [...decisionValues, ...stops])
    read += range.people
    at = range
  }
  if (read > 0) yield* statement(advanceStops, [campaign_id, at.completed_seq, at.row, finished, finished])
  return read
}

/** `BulkEnrolment` in SQL, over the tables of `CohortStoreSql` and `ContactStoreSql`. */
export const BulkEnrolmentSql = {
  layer: Layer.effect(
    BulkEnrolment,
    Effect.map(Sql, ({ dialect, statements }): BulkEnrolment.Service => {
      const texts = textsOf(dialect)
      return {
        enrol: (step) => statements(() => enrol(texts, step)),
        stop: (step) => statements(() => stop(texts, step))
      }
    })
  )
}
