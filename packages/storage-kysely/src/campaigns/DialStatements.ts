import type { Claim, Contact, RetryCounters } from "@trunkline/campaigns"
import type { CampaignId, PhoneNumber, Scope } from "@trunkline/kernel"
import { Effect } from "effect"
import { changeRows } from "../sql/ManyRows.js"
import type { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { sideBySide, statement, together } from "../sql/Statement.js"
import { readContact, retriesFromJson } from "./ContactRows.js"

/** The texts in which the databases differ. */
const textsOf = ({ field, greater, orderedFrom, orderedJoin, textRows }: SqlDialect) => ({
  /** The limit is part of the text, because SQLite plans a statement again for every new value bound to a limit. */
  ready: (limit: number) => {
    const { end, from } = orderedFrom("ready", {
      where: "ready.campaign_id = ? and ready.due_at <= ?",
      order: `order by ready.due_at, ready.seat limit ${limit}`
    })
    const contacts = orderedJoin("contacts", {
      on: "contacts.campaign_id = ready.campaign_id and contacts.seat = ready.seat and contacts.state = 'waiting'",
      forUpdate: true
    })
    const people = orderedJoin("contact_people", {
      as: "person",
      on: "person.campaign_id = ready.campaign_id and person.seat = ready.seat"
    })
    return `select contacts.*, person.body from ${from} ${contacts} ${people} ${end}`
  },
  find: `
    select contacts.*, person.body from contacts
    ${
    orderedJoin("contact_people", {
      as: "person",
      on: "person.campaign_id = contacts.campaign_id and person.seat = contacts.seat"
    })
  }
    where contacts.campaign_id = ? and contacts.user_phone_number = ?
  `,
  retriesOf: `
    select user_phone_number, retries from ${textRows("number")}
    ${orderedJoin("contacts", { on: "campaign_id = ? and user_phone_number = number.value" })}
  `,
  onThePhone: `
    select user_phone_number from ${textRows("number")}
    ${orderedJoin("contacts", { on: "contacts.user_phone_number = number.value and contacts.state = 'calling'" })}
    ${orderedJoin("campaigns", { on: "campaigns.campaign_id = contacts.campaign_id" })}
    where campaigns.org_id = ? and campaigns.workspace_id = ?
  `,
  /** The condition on numbers is that of an index. */
  onThePhoneElsewhere: `
    select value as user_phone_number from ${textRows("number")}
    ${
    orderedJoin("attempts", {
      on: "(cast(body as json) ->> 'user_phone_number') = number.value and state <> 'ended' and process_id <> ?"
    })
  }
    where ${field("body", "org_id")} = ? and ${field("body", "workspace_id")} = ?
  `,
  dialled: `
    insert into dial_minutes (campaign_id, minute, dials, last_at) values (?, ?, ?, ?)
    on conflict (campaign_id, minute) do update set
      dials = dial_minutes.dials + excluded.dials,
      last_at = ${greater("dial_minutes.last_at", "excluded.last_at")}
  `
})

const countCalling = "update dispatch set waiting = waiting - ?, calling = calling + ? where campaign_id = ?"

/** The changes of many contacts. */
const changesOf = (dialect: SqlDialect) => ({
  call: changeRows<Pick<Row, "due_at" | "seat">>(dialect, {
    change: `
      update contacts set
        state = 'calling',
        attempts = attempts + 1,
        attempt_id = ?,
        called_from = ltrim(called_from || ' ' || ?),
        verdict = 'allow', reason = 'allowed', decided_at = ?, not_before = null
    `,
    where: "campaign_id = ? and user_phone_number = ? and state = 'waiting'",
    returning: "due_at, seat",
    types: ["text", "text", "number", "text", "text"],
    key: [3, 4]
  }),
  leaveQueue: changeRows(dialect, {
    change: "delete from ready",
    where: "campaign_id = ? and due_at = ? and seat = ?",
    types: ["text", "number", "integer"],
    key: []
  })
})

const minuteMillis = 60_000

type Row = Parameters<typeof readContact>[0]

/** The statements of every dial with these texts. */
const dialsWith = (
  { changes, texts }: { readonly texts: ReturnType<typeof textsOf>; readonly changes: ReturnType<typeof changesOf> },
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
      const called = yield* changes.call(
        claims.map(({ attempt_id, from, user_phone_number }) => [attempt_id, from, at, campaign, user_phone_number])
      )
      for (const [index, { user_phone_number }] of claims.entries()) {
        if (called[index] !== undefined) claimed.add(user_phone_number)
      }
      if (claimed.size === 0) return claimed
      yield* sideBySide<unknown>([
        changes.leaveQueue(called.flatMap((row) => row === undefined ? [] : [[campaign, row.due_at, row.seat]])),
        statement(countCalling, [claimed.size, claimed.size, campaign])
      ])
      return claimed
    }),

  /** Adds to the dials of a minute. */
  dialled: (campaign: CampaignId, at: number, dials: number): Effect.Effect<void> =>
    Effect.asVoid(execute(texts.dialled, [campaign, Math.floor(at / minuteMillis) * minuteMillis, dials, at]))
})

/** The statements of every dial, with texts built once: building them takes longer than running them. */
export const dialStatements = (sql: Pick<typeof Sql.Service, "dialect" | "execute" | "statements">) =>
  dialsWith({ texts: textsOf(sql.dialect), changes: changesOf(sql.dialect) }, sql)
