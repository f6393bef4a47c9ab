import type { CampaignClaims, Claim, Contact, RetryCounters } from "@trunkline/campaigns"
import type { AttemptId, CampaignId, PhoneNumber, Scope } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import { changeRows, findRows, insertRows } from "../fast/ManyRows.js"
import { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { sideBySide, statement, type Statements, together } from "../sql/Statement.js"
import { readContact, retriesFromJson } from "./ContactRows.js"

/** The texts in which the databases differ. */
const textsOf = ({ field, orderedFrom, orderedJoin, textRows }: SqlDialect) => ({
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
  `
})

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
  }),
  countCalling: changeRows(dialect, {
    change: "update dispatch set waiting = waiting - ?, calling = calling + ?",
    where: "campaign_id = ?",
    types: ["integer", "integer", "text"],
    key: [2]
  }),
  dialled: insertRows(dialect, "dial_minutes", {
    columns: { campaign_id: "text", minute: "number", dials: "integer", last_at: "number" },
    end: `
      on conflict (campaign_id, minute) do update set
        dials = dial_minutes.dials + excluded.dials,
        last_at = ${dialect.greater("dial_minutes.last_at", "excluded.last_at")}
    `
  }),
  retries: findRows<{ readonly retries: string }>(dialect, "contacts", {
    columns: "retries",
    where: "campaign_id = ? and user_phone_number = ?",
    types: ["text", "text"]
  })
})

const minuteMillis = 60_000

type Row = Parameters<typeof readContact>[0]

/** Dials of a campaign at a moment. */
interface Dials {
  readonly campaign: CampaignId
  readonly at: number
  readonly dials: number
}

/** The rows of minutes with dials, each once, since a statement can change a row only once. */
const minutesOf = (groups: ReadonlyArray<Dials>) => {
  const rows = new Map<string, readonly [CampaignId, number, number, number]>()
  for (const { at, campaign, dials } of groups) {
    const minute = Math.floor(at / minuteMillis) * minuteMillis
    const [, , before, last] = rows.get(`${campaign} ${minute}`) ?? [campaign, minute, 0, at]
    rows.set(`${campaign} ${minute}`, [campaign, minute, before + dials, Math.max(last, at)])
  }
  return [...rows.values()]
}

/** Moves contacts from `waiting` to `calling`; returns for each whether it was waiting. */
function* callContacts(
  { call, countCalling, leaveQueue }: ReturnType<typeof changesOf>,
  claims: ReadonlyArray<Claim & { readonly campaign: CampaignId; readonly at: number }>
): Statements<ReadonlyArray<boolean>> {
  const callRows = yield* call(
    claims.map(({ at, attempt_id, campaign, from, user_phone_number }) => [
      attempt_id,
      from,
      at,
      campaign,
      user_phone_number
    ])
  )
  const counts = new Map<CampaignId, number>()
  const entries: Array<readonly [CampaignId, number, number]> = []
  for (const [index, { campaign }] of claims.entries()) {
    const row = callRows[index]
    if (row === undefined) continue
    counts.set(campaign, (counts.get(campaign) ?? 0) + 1)
    entries.push([campaign, row.due_at, row.seat])
  }
  yield* sideBySide<unknown>([
    leaveQueue(entries),
    countCalling([...counts].map(([campaign, count]) => [count, count, campaign]))
  ])
  return callRows.map((row) => row !== undefined)
}

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

  /** The retry counters of contacts, in order; null for those that are not enrolled. */
  retriesOf: (
    contacts: ReadonlyArray<Pick<Contact, "campaign_id" | "user_phone_number">>
  ): Effect.Effect<ReadonlyArray<RetryCounters | null>> =>
    statements(function*() {
      const rows = yield* changes.retries(
        contacts.map(({ campaign_id, user_phone_number }) => [campaign_id, user_phone_number])
      )
      return rows.map((row) => row === undefined ? null : retriesFromJson(row.retries))
    }),

  /** Those of the numbers that a campaign of the workspace is calling now, or that another process than this talks with. */
  onThePhone: (
    { org_id, workspace_id }: Scope,
    numbers: ReadonlyArray<PhoneNumber>,
    process: number | null
  ): Effect.Effect<ReadonlySet<PhoneNumber>> =>
    statements(function*() {
      const json = JSON.stringify(numbers)
      const results = yield* together([
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
      return new Set(results.flatMap(({ rows }) => rows.map((row) => row.user_phone_number)))
    }),

  /** Moves contacts from `waiting` to `calling`, and adds to the dials of their minutes; returns the attempts that call. */
  claimMany: (groups: ReadonlyArray<CampaignClaims>): Effect.Effect<ReadonlySet<AttemptId>> =>
    statements(function*() {
      const claims = groups.flatMap(({ at, campaign_id: campaign, claims }) =>
        claims.map((claim) => ({ campaign, at, ...claim }))
      )
      const outcomes = yield* callContacts(changes, claims)
      const dialledClaims = groups.filter(({ isDialled }) => isDialled)
      yield* changes.dialled(
        minutesOf(
          dialledClaims.map(({ at, campaign_id: campaign, claims: { length: dials } }) => ({ campaign, at, dials }))
        )
      )
      return new Set(claims.flatMap(({ attempt_id }, index) => outcomes[index] === true ? attempt_id : []))
    }),

  /** Adds to the dials of a minute. */
  dialled: (campaign: CampaignId, at: number, dials: number): Effect.Effect<void> =>
    statements(function*() {
      yield* changes.dialled(minutesOf([{ campaign, at, dials }]))
    })
})

/**
 * The statements of every dial, which the stores of the dispatch share. Their texts are built once: building them takes
 * longer than running them.
 */
export class DialStatements extends Context.Tag("@trunkline/storage-kysely/DialStatements")<
  DialStatements,
  ReturnType<typeof dialsWith>
>() {
  static readonly layer = Layer.effect(
    DialStatements,
    Effect.map(Sql, (sql) => dialsWith({ texts: textsOf(sql.dialect), changes: changesOf(sql.dialect) }, sql))
  )
}
