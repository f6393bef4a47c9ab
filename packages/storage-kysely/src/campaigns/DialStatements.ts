import type { Claim, Contact, RetryCounters, Settlement } from "@trunkline/campaigns"
import type { CampaignId, PhoneNumber, Scope } from "@trunkline/kernel"
import { Effect } from "effect"
import type { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { type Statement, statement, type Statements, together } from "../sql/Statement.js"
import { readContact, retriesFromJson, retriesToJson } from "./ContactRows.js"

/** The texts in which the databases differ. */
const textsOf = ({ addToField, field, forUpdateOf, greater, orderedJoin, textRows }: SqlDialect) => {
  const countSettledAs = (state: "finished" | "waiting") => `
    update dispatch set calling = calling - ?, ${state} = ${state} + ?, outcomes = ${addToField("outcomes")}
    where campaign_id = ?
  `
  return {
    /** The limit is part of the text, because SQLite plans a statement again for every new value bound to a limit. */
    ready: (limit: number) => `
      select contacts.*, person.body from ready
      ${orderedJoin} contacts on contacts.campaign_id = ready.campaign_id and contacts.seat = ready.seat
      ${orderedJoin} contact_people as person on person.campaign_id = ready.campaign_id and person.seat = ready.seat
      where ready.campaign_id = ? and ready.due_at <= ? and contacts.state = 'waiting'
      order by ready.due_at, ready.seat limit ${limit} ${forUpdateOf("contacts")}
    `,
    find: `
      select contacts.*, person.body from contacts
      ${orderedJoin} contact_people as person
      on person.campaign_id = contacts.campaign_id and person.seat = contacts.seat
      where contacts.campaign_id = ? and contacts.user_phone_number = ?
    `,
    retriesOf: `
      select user_phone_number, retries from ${textRows("number")}
      ${orderedJoin} contacts on campaign_id = ? and user_phone_number = number.value
    `,
    onThePhone: `
      select user_phone_number from ${textRows("number")}
      ${orderedJoin} contacts on contacts.user_phone_number = number.value and contacts.state = 'calling'
      ${orderedJoin} campaigns on campaigns.campaign_id = contacts.campaign_id
      where campaigns.org_id = ? and campaigns.workspace_id = ?
    `,
    /** The condition on numbers is that of an index. */
    onThePhoneElsewhere: `
      select value as user_phone_number from ${textRows("number")}
      ${orderedJoin} attempts on (cast(body as json) ->> 'user_phone_number') = number.value
      where state <> 'ended' and process_id <> ? and ${field("body", "org_id")} = ? and ${
      field("body", "workspace_id")
    } = ?
    `,
    countSettled: { finished: countSettledAs("finished"), waiting: countSettledAs("waiting") },
    dialled: `
      insert into dial_minutes (campaign_id, minute, dials, last_at) values (?, ?, ?, ?)
      on conflict (campaign_id, minute) do update set
        dials = dial_minutes.dials + excluded.dials,
        last_at = ${greater("dial_minutes.last_at", "excluded.last_at")}
    `
  }
}
const call = `
  update contacts set
    state = 'calling',
    attempts = attempts + 1,
    attempt_id = ?,
    called_from = ltrim(called_from || ' ' || ?),
    verdict = 'allow', reason = 'allowed', decided_at = ?, not_before = null
  where campaign_id = ? and user_phone_number = ? and state = 'waiting'
  returning due_at, seat
`
const leaveQueue = "delete from ready where campaign_id = ? and due_at = ? and seat = ?"
const enterQueue = "insert into ready (campaign_id, due_at, seat) values (?, ?, ?)"
const countCalling = "update dispatch set waiting = waiting - ?, calling = calling + ? where campaign_id = ?"
const settle = `
  update contacts set
    state = ?, attempt_id = null, verdict = ?, reason = ?, decided_at = ?, not_before = ?,
    completion_status = ?, connectivity_status = ?, next_action_status = ?
  where campaign_id = ? and user_phone_number = ? and attempt_id = ?
  returning seat
`
const schedule = "update contacts set due_at = ?, retries = ? where campaign_id = ? and seat = ?"

const minuteMillis = 60_000

type Row = Parameters<typeof readContact>[0]

/** The statements of every dial with these texts. */
const dialsWith = (
  texts: ReturnType<typeof textsOf>,
  { execute, statements }: Pick<typeof Sql.Service, "execute" | "statements">
) => ({
  /** The waiting contacts that are due, in the order of the queue. */
  ready: (campaign: CampaignId, now: number, limit: number): Effect.Effect<ReadonlyArray<Contact>> =>
    Effect.map(execute<Row>(texts.ready(limit), [campaign, now]), ({ rows }) => rows.map(readContact)),

  /** The contact with a number: none or one. */
  find: (campaign: CampaignId, number: PhoneNumber): Effect.Effect<ReadonlyArray<Contact>> =>
    Effect.map(execute<Row>(texts.find, [campaign, number]), ({ rows }) => rows.map(readContact)),

  /** The retry counters of contacts, by number. */
  retriesOf: (
    campaign: CampaignId,
    numbers: ReadonlyArray<PhoneNumber>
  ): Effect.Effect<ReadonlyMap<PhoneNumber, RetryCounters>> =>
    Effect.map(
      execute<Pick<Row, "retries" | "user_phone_number">>(texts.retriesOf, [JSON.stringify(numbers), campaign]),
      ({ rows }) => new Map(rows.map((row) => [row.user_phone_number, retriesFromJson(row.retries)]))
    ),

  /** Those of the numbers that a campaign of the workspace is calling now, or that another process than this talks with. */
  onThePhone: (
    { org_id, workspace_id }: Scope,
    numbers: ReadonlyArray<PhoneNumber>,
    process: number | null
  ): Effect.Effect<ReadonlySet<PhoneNumber>> =>
    statements(function*() {
      const json = JSON.stringify(numbers)
      const found = yield* together([
        statement<Pick<Contact, "user_phone_number">>(texts.onThePhone, [json, org_id, workspace_id]),
        ...(process === null
          ? []
          : [
            statement<Pick<Contact, "user_phone_number">>(texts.onThePhoneElsewhere, [
              json,
              process,
              org_id,
              workspace_id
            ])
          ])
      ])
      return new Set(found.flatMap(({ rows }) => rows.map((row) => row.user_phone_number)))
    }),

  /** Moves contacts from `waiting` to `calling`; returns the numbers of those that were waiting. */
  claim: (campaign: CampaignId, claims: ReadonlyArray<Claim>, at: number): Effect.Effect<ReadonlySet<PhoneNumber>> =>
    statements(function*() {
      const claimed = new Set<PhoneNumber>()
      const called = yield* together(
        claims.map(({ attempt_id, from, user_phone_number }) =>
          statement<Pick<Row, "due_at" | "seat">>(call, [attempt_id, from, at, campaign, user_phone_number])
        )
      )
      yield* together(
        called.flatMap(({ rows }) => rows.map(({ due_at, seat }) => statement(leaveQueue, [campaign, due_at, seat])))
      )
      for (const [index, { user_phone_number }] of claims.entries()) {
        if (called[index]?.rows[0] !== undefined) claimed.add(user_phone_number)
      }
      if (claimed.size > 0) yield* statement(countCalling, [claimed.size, claimed.size, campaign])
      return claimed
    }),

  /** Adds to the dials of a minute. */
  dialled: (campaign: CampaignId, at: number, dials: number): Effect.Effect<void> =>
    Effect.asVoid(execute(texts.dialled, [campaign, Math.floor(at / minuteMillis) * minuteMillis, dials, at])),

  /** Moves contacts from `calling` with their attempts to their next states. */
  settleMany: (settlements: ReadonlyArray<Settlement>): Effect.Effect<void> =>
    statements(function*() {
      const counts = new Map<string, SettledCount>()
      for (const settlement of yield* settleEach(settlements)) {
        const { campaign_id, outcome } = settlement
        const state = stateAfter(settlement)
        const key = `${campaign_id} ${state} ${outcome}`
        const count = counts.get(key) ?? { campaign_id, state, outcome, contacts: 0 }
        count.contacts += 1
        counts.set(key, count)
      }
      for (const { campaign_id, contacts, outcome, state } of counts.values()) {
        yield* statement(texts.countSettled[state], [contacts, contacts, outcome, outcome, contacts, campaign_id])
      }
    })
})

/** The statements of every dial, with texts built once: building them takes longer than running them. */
export const dialStatements = (sql: Pick<typeof Sql.Service, "dialect" | "execute" | "statements">) =>
  dialsWith(textsOf(sql.dialect), sql)

/** Contacts of a campaign that were settled in the same way. */
interface SettledCount {
  readonly campaign_id: CampaignId
  readonly state: "finished" | "waiting"
  readonly outcome: string
  contacts: number
}

/** The state of a contact after its attempt. */
const stateAfter = ({ next }: Settlement): SettledCount["state"] => next === null ? "finished" : "waiting"

/** Moves a contact that is calling with this attempt. */
const settlementOf = (settlement: Settlement): Statement<Pick<Row, "seat">> => {
  const { attempt_id, campaign_id, decision, last_outcome, user_phone_number } = settlement
  return statement(settle, [
    stateAfter(settlement),
    decision.verdict,
    decision.reason,
    decision.at,
    decision.not_before,
    last_outcome.completion_status,
    last_outcome.connectivity_status,
    last_outcome.next_action_status,
    campaign_id,
    user_phone_number,
    attempt_id
  ])
}

/** Queues the next attempt of a contact. */
const queueing = ({ campaign_id, next }: Settlement, seat: number): ReadonlyArray<Statement<unknown>> =>
  next === null ? [] : [
    statement(schedule, [next.due_at, retriesToJson(next.counters), campaign_id, seat]),
    statement(enterQueue, [campaign_id, next.due_at, seat])
  ]

/** Settles contacts; returns the settlements of those that were calling with their attempts. */
function* settleEach(settlements: ReadonlyArray<Settlement>): Statements<ReadonlyArray<Settlement>> {
  const results = yield* together(settlements.map(settlementOf))
  const settled: Array<Settlement> = []
  const queued: Array<Statement<unknown>> = []
  for (const [index, settlement] of settlements.entries()) {
    const row = results[index]?.rows[0]
    if (row === undefined) continue
    settled.push(settlement)
    queued.push(...queueing(settlement, row.seat))
  }
  yield* together(queued)
  return settled
}
