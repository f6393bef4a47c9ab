import { DispatchStore } from "@trunkline/campaigns"
import { type CampaignId, Processes } from "@trunkline/kernel"
import { Array, Effect, Layer, Option } from "effect"
import { inBatches } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { listContacts } from "./ContactLists.js"
import { countDials, recordDials, removeDial } from "./DialCounts.js"
import { dialStatements } from "./DialStatements.js"
import { totalsOf } from "./DispatchCounts.js"
import { deferContact, enrolContacts, finishContacts, releaseContact } from "./DispatchQueue.js"
import { settleContacts } from "./SettleStatements.js"

const holdCounts = ({ forUpdate, textRows }: SqlDialect) => `
  select campaign_id from dispatch where campaign_id in (select value from ${textRows("campaign")})
  order by campaign_id ${forUpdate}
`

/** `DispatchStore` in SQL. */
export const DispatchStoreSql = {
  layer: Layer.effect(
    DispatchStore,
    Effect.gen(function*() {
      const database = yield* Sql
      const { dialect, execute, query, statements, transaction } = database
      const dials = dialStatements(database)
      const { id: process } = yield* Processes
      const settleMany = settleContacts(database, process)
      const finish = finishContacts(dialect)
      const totals = (campaign: CampaignId) => statements(() => totalsOf(campaign, process))

      const dueTime = (campaign: CampaignId, direction: "asc" | "desc") =>
        query((db) =>
          db.selectFrom("ready").select("due_at")
            .where("campaign_id", "=", campaign)
            .orderBy("due_at", direction)
            .limit(1)
            .executeTakeFirst()
        ).pipe(Effect.map((row) => row?.due_at ?? null))

      return DispatchStore.of({
        enrol: (campaign, contacts, cursor) => statements(() => enrolContacts(campaign, contacts, cursor)),
        cursor: (campaign) =>
          query((db) =>
            db.selectFrom("dispatch").select(["completed_seq", "row"])
              .where("campaign_id", "=", campaign)
              .where("completed_seq", ">", 0)
              .executeTakeFirst()
          ).pipe(Effect.map((row) => row ?? null)),
        ready: dials.ready,
        nextDue: (campaign) => dueTime(campaign, "asc"),
        lastDue: (campaign) => dueTime(campaign, "desc"),
        // Where transactions run one at a time, or only one campaign is claimed for, there is no order to keep.
        hold: (campaigns) =>
          dialect.forUpdate === "" || campaigns.length < 2
            ? Effect.void
            : Effect.asVoid(execute(holdCounts(dialect), [JSON.stringify(campaigns)])),
        claim: ({ campaign_id }, claims, at) => dials.claim(campaign_id, claims, at),
        claimMany: dials.claimMany,
        onThePhone: (scope, numbers) => dials.onThePhone(scope, numbers, process),
        defer: (campaign, deferrals) =>
          transaction(
            Effect.forEach(deferrals, (deferral) =>
              query((db) => deferContact(db, dialect, { campaign_id: campaign, deferral })), {
              discard: true
            })
          ),
        settle: (settlement) => settleMany([settlement]),
        settleMany,
        release: (options) => transaction(query((db) => releaseContact(db, options))),
        finish: (campaign, numbers, decision) =>
          Effect.asVoid(
            transaction(inBatches(numbers, (batch) => statements(() => finish(campaign, batch, decision))))
          ),
        stopCursor: (campaign) =>
          query((db) =>
            db.selectFrom("dispatch").select(["stops_seq as completed_seq", "stops_row as row"])
              .where("campaign_id", "=", campaign)
              .where("stops_seq", ">", 0)
              .executeTakeFirst()
          ).pipe(Effect.map((row) => row ?? null)),
        setStopCursor: (campaign_id, { completed_seq: stops_seq, row: stops_row }) =>
          Effect.asVoid(
            query((db) =>
              db.insertInto("dispatch").values({ campaign_id, completed_seq: 0, row: 0, stops_seq, stops_row })
                .onConflict((conflict) => conflict.column("campaign_id").doUpdateSet({ stops_seq, stops_row }))
                .execute()
            )
          ),
        find: (campaign, number) => Effect.map(dials.find(campaign, number), Array.head),
        retries: (campaign_id, user_phone_number) =>
          Effect.map(
            dials.retriesOf([{ campaign_id, user_phone_number }]),
            ([retries]) => Option.fromNullable(retries)
          ),
        retriesOf: dials.retriesOf,
        list: (campaign, listing) => query((db) => listContacts(db, dialect, { campaign, listing })),
        counts: (campaign) => Effect.map(totals(campaign), ({ contacts }) => contacts),
        totals,
        addDials: dials.dialled,
        lastDial: (campaign) =>
          query((db) =>
            db.selectFrom("dial_minutes").select("last_at")
              .where("campaign_id", "=", campaign)
              .orderBy("minute", "desc")
              .limit(1)
              .executeTakeFirst()
          ).pipe(Effect.map((row) => row?.last_at ?? null)),
        minutes: (campaign, since) =>
          query((db) =>
            db.selectFrom("dial_minutes").select(["minute", "dials"])
              .where("campaign_id", "=", campaign)
              .where("minute", ">=", since)
              .where("dials", ">", 0)
              .orderBy("minute")
              .execute()
          ),
        recordDials: (scope, at, numbers) =>
          transaction(query((db) => recordDials(db, dialect, { scope, at, numbers }))),
        removeDial: (scope, at, number) => query((db) => removeDial(db, scope, at, number)),
        dialsOf: (scope, since, numbers) => query((db) => countDials(db, scope, since, numbers))
      })
    })
  )
}
