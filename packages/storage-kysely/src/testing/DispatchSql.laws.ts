import { assert, describe, it } from "@effect/vitest"
import {
  type Contact,
  ContactStore,
  DialLog,
  DialQueue,
  type GateReason,
  newContact,
  noOutcomes,
  noRetries,
  refuse
} from "@trunkline/campaigns"
import { AttemptId, CampaignId, CohortId, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import { Effect, Layer, Option } from "effect"
import { sql } from "kysely"
import { ContactStoreSql } from "../campaigns/ContactStoreSql.js"
import { DialLogSql } from "../campaigns/DialLogSql.js"
import { DialQueueSql } from "../campaigns/DialQueueSql.js"
import { addNamedCounters } from "../migrations/AddNamedCounters.js"
import { migrate, migrations } from "../migrations/Migrate.js"
import { Sql } from "../sql/Sql.js"

const campaign_id = CampaignId.make("camp-a1b2c3d4e5f6")
/** The last version without decisions about contacts. */
const previousVersion = 8
const attemptId = (index: number) => AttemptId.make(`attempt-${index}`)
const numberOf = (index: number) => PhoneNumber.make(`+91${9876500000 + index}`)
const callerNumber = PhoneNumber.make("+911140000001")

const contactOf = (index: number): Contact =>
  newContact(campaign_id, {
    user_phone_number: numberOf(index),
    user_identifier: `user "${index}"`,
    cohort_id: CohortId.make("coh-1"),
    agent_variables: { customer_name: "हिन्दी", "odd \"key\"": "\\", due: 42.5, paid: false, note: null },
    app_overrides: index === 1 ? { initial_language_name: "Hindi" } : {}
  }, 100)

/** Adds a contact as the previous version stored it; contacts are in the order of `place`. */
const addContact = (contact: Contact, place: number, finished_because: "stopped" | null = null) => {
  const { decision: _, last_outcome: _outcome, ...body } = contact
  return sql`insert into contacts (campaign_id, user_phone_number, state, due_at, place, body) values (
    ${campaign_id}, ${contact.user_phone_number}, ${contact.state}, ${contact.due_at}, ${place},
    ${JSON.stringify({ ...body, finished_because })}
  )`
}

interface EndedResult {
  readonly connectivity_status: string | null
  readonly completion_status?: string
  readonly next_action_status?: string
  readonly failure_reason?: string
  readonly finished_at: number
}

const addAttempt = (index: number, contact: number, end: EndedResult | null) => {
  const result = end &&
    { completion_status: "failed", next_action_status: null, failure_reason: null, interaction: null, ...end }
  const body = {
    attempt_id: attemptId(index),
    campaign_id,
    user_phone_number: numberOf(contact),
    connection_id: "sim-1",
    attempted_at: index * 60_000,
    provider_call_id: null,
    state: end === null ? "accepted" : "ended",
    result
  }
  return sql`insert into attempts (attempt_id, state, body)
    values (${body.attempt_id}, ${body.state}, ${JSON.stringify(body)})`
}

/** Migrates a database of the previous version, with contacts in every state, to the newest version. */
const upgrade = Effect.gen(function*() {
  const { query } = yield* Sql
  yield* migrate(migrations.slice(0, previousVersion))
  yield* query(async (db) => {
    await sql`insert into dispatch (campaign_id, completed_seq, row, arrivals, waiting, calling, finished)
      values (${campaign_id}, 3, 7, 40, 2, 1, 4)`.execute(db)
    const call = { attempts: 1, called_from: [callerNumber] } as const
    const [one, two, three, four, five, six, seven] = [1, 2, 3, 4, 5, 6, 7].map(contactOf)
    if (!one || !two || !three || !four || !five || !six || !seven) return
    const retry = { due_at: 500.5, counters: { main: 1, provider: 2, internal: 3 } }
    await addContact({ ...two, ...retry, attempts: 2, called_from: [callerNumber, callerNumber] }, 30).execute(db)
    await addContact(one, 10).execute(db)
    await addContact({ ...three, ...call, state: "calling", attempt_id: attemptId(9) }, 31).execute(db)
    await addContact({ ...four, ...call, state: "finished" }, 32).execute(db)
    await addContact({ ...five, state: "finished" }, 33, "stopped").execute(db)
    await addContact({ ...six, ...call, state: "finished" }, 34).execute(db)
    await addContact({ ...seven, ...call, state: "finished" }, 35).execute(db)
    await addAttempt(1, 2, { connectivity_status: "no_answer", next_action_status: "retry", finished_at: 70 })
      .execute(db)
    await addAttempt(2, 2, { connectivity_status: "busy", next_action_status: "retry", finished_at: 80 }).execute(db)
    await addAttempt(9, 3, null).execute(db)
    await addAttempt(3, 4, { connectivity_status: "connected", completion_status: "partial", finished_at: 90 })
      .execute(db)
    await addAttempt(4, 6, { connectivity_status: null, failure_reason: "unknown: lost", finished_at: 95 }).execute(db)
    await addAttempt(5, 7, { connectivity_status: "failed", failure_reason: "sim: invalid", finished_at: 96 })
      .execute(db)
  })
  yield* migrate()
})

/** The laws of the stores of the dispatch in SQL beyond those of every such store, for an empty database behind some dialect. */
export const dispatchSqlLaws = <E>(name: string, empty: Layer.Layer<Sql, E>): void => {
  const live = Layer.provideMerge(Layer.mergeAll(ContactStoreSql.layer, DialLogSql.layer, DialQueueSql.layer), empty)
  describe(`Dispatch in SQL: ${name}`, () => {
    it.effect("keeps the contacts of an earlier version, with decisions derived from their attempts", () =>
      Effect.gen(function*() {
        yield* upgrade
        const contacts = yield* ContactStore
        const page = yield* contacts.list(campaign_id, {
          state: null,
          reason: null,
          search: "",
          limit: 10,
          after: null,
          before: null
        })
        assert.deepStrictEqual(
          page.map(({ contact }) => contact.user_phone_number),
          [1, 2, 3, 4, 5, 6, 7].map(numberOf)
        )
        const [one, two, three, four, five, six, seven] = page.map(({ contact }) => contact)
        assert.deepStrictEqual(one, contactOf(1))
        const busy = { completion_status: "failed", connectivity_status: "busy", next_action_status: "retry" } as const
        assert.deepStrictEqual(two, {
          ...contactOf(2),
          due_at: 500.5,
          attempts: 2,
          counters: { main: 1, provider: 2, internal: 3 },
          called_from: [callerNumber, callerNumber],
          decision: { verdict: "not_before", reason: "retry_interval", at: 80, not_before: 500.5 },
          last_outcome: busy
        })
        assert.deepInclude(three, {
          state: "calling",
          attempt_id: attemptId(9),
          decision: { verdict: "allow", reason: "allowed", at: 100, not_before: null },
          last_outcome: null
        })
        const ends = [four, five, six, seven].map((contact) => [contact?.state, contact?.decision])
        const never = (reason: GateReason, at: number) => ["finished" as const, refuse(reason, at)]
        assert.deepStrictEqual(ends, [
          never("done", 90),
          never("stopped", 100),
          never("outcome_unknown", 95),
          never("retries_exhausted", 96)
        ])
      }).pipe(Effect.provide(live)))

    it.effect("continues a campaign of an earlier version", () =>
      Effect.gen(function*() {
        yield* upgrade
        const contacts = yield* ContactStore
        const queue = yield* DialQueue
        const log = yield* DialLog
        assert.deepStrictEqual(yield* contacts.totals(campaign_id), {
          contacts: { waiting: 2, calling: 1, finished: 4 },
          outcomes: { ...noOutcomes, no_answer: 1, busy: 1, partial: 1, unknown: 1, failed: 1 },
          taken: 7
        })
        assert.deepStrictEqual(yield* contacts.cursor(campaign_id), { completed_seq: 3, row: 7 })
        assert.strictEqual(yield* log.lastDial(campaign_id), 300_000)
        const ready = yield* queue.ready(campaign_id, 1_000, 10)
        assert.deepStrictEqual(ready.map((contact) => contact.user_phone_number), [1, 2].map(numberOf))
        const last = {
          completion_status: "completed",
          connectivity_status: "connected",
          next_action_status: null
        } as const
        yield* queue.settleMany([{
          campaign_id,
          user_phone_number: numberOf(3),
          attempt_id: attemptId(9),
          outcome: "completed",
          last_outcome: last,
          decision: refuse("done", 700),
          next: null
        }])
        yield* contacts.enrol(campaign_id, [contactOf(7), contactOf(8)], { completed_seq: 3, row: 9 })
        const eight = yield* contacts.find(campaign_id, numberOf(8))
        assert.deepStrictEqual(eight, Option.some(contactOf(8)))
        assert.deepStrictEqual(yield* contacts.counts(campaign_id), { waiting: 3, calling: 0, finished: 5 })
      }).pipe(Effect.provide(live)))

    it.effect("keeps retries and outcomes when their columns become JSON", () =>
      Effect.gen(function*() {
        const { query } = yield* Sql
        yield* migrate(migrations.slice(0, migrations.indexOf(addNamedCounters)))
        yield* query(async (db) => {
          await sql`insert into contacts values (${campaign_id}, 1, ${
            numberOf(1)
          }, 'user-1', 'waiting', 7, 6, 1, 2, 3, '',
            null, 'allow', 'new', 7, null, null, null, null)`.execute(db)
          await sql`insert into contact_people values (${campaign_id}, 1, '["coh-1",{},{}]')`.execute(db)
          await sql`insert into dispatch (campaign_id, completed_seq, row, waiting, calling, finished, taken, busy, unknown)
            values (${campaign_id}, 1, 1, 1, 0, 0, 1, 4, 2)`.execute(db)
        })
        yield* migrate()
        const contacts = yield* ContactStore
        const queue = yield* DialQueue
        const counters = { main: 1, provider: 2, internal: 3 }
        assert.deepStrictEqual(yield* queue.retriesOf([{ campaign_id, user_phone_number: numberOf(1) }]), [counters])
        const contact = Option.getOrThrow(yield* contacts.find(campaign_id, numberOf(1)))
        assert.deepInclude(contact, { counters, attempts: 6, due_at: 7 })
        const { outcomes } = yield* contacts.totals(campaign_id)
        assert.deepStrictEqual(outcomes, { ...noOutcomes, busy: 4, unknown: 2 })
      }).pipe(Effect.provide(live)))

    it.effect("needs no migration for a new retry counter or outcome", () =>
      Effect.gen(function*() {
        const { query } = yield* Sql
        yield* migrate()
        const contacts = yield* ContactStore
        const queue = yield* DialQueue
        yield* contacts.enrol(campaign_id, [contactOf(1)], { completed_seq: 1, row: 1 })
        yield* query(async (db) => {
          await sql`update contacts set retries = '{"main":2}'`.execute(db)
          await sql`update dispatch set outcomes = '{"busy":3}'`.execute(db)
        })
        const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
        const attempt_id = attemptId(1)
        const user_phone_number = numberOf(1)
        assert.deepStrictEqual(
          yield* queue.retriesOf([{ campaign_id, user_phone_number }]),
          [{ ...noRetries, main: 2 }]
        )
        yield* queue.claimMany([{
          scope,
          campaign_id,
          claims: [{ user_phone_number, attempt_id, from: callerNumber }],
          at: 200,
          isDialled: false
        }])
        yield* queue.settleMany([{
          campaign_id,
          user_phone_number,
          attempt_id,
          outcome: "no_answer",
          last_outcome: { completion_status: "failed", connectivity_status: "no_answer", next_action_status: null },
          decision: refuse("retries_exhausted", 300),
          next: null
        }])
        const { outcomes } = yield* contacts.totals(campaign_id)
        assert.deepStrictEqual(outcomes, { ...noOutcomes, busy: 3, no_answer: 1 })
      }).pipe(Effect.provide(live)))
  })
}
