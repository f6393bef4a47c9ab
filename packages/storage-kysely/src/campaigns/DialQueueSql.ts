import { DialQueue } from "@trunkline/campaigns"
import { type CampaignId, Processes } from "@trunkline/kernel"
import { Effect, Layer } from "effect"
import { inBatches } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { DialStatements } from "./DialStatements.js"
import { deferContact, finishContacts, releaseContact } from "./DispatchQueue.js"
import { settleContacts } from "./SettleStatements.js"

const holdCounts = ({ forUpdate, textRows }: SqlDialect) => `
  select campaign_id from dispatch where campaign_id in (select value from ${textRows("campaign")})
  order by campaign_id ${forUpdate}
`

/** `DialQueue` in SQL. */
export const DialQueueSql = {
  layer: Layer.effect(
    DialQueue,
    Effect.gen(function*() {
      const database = yield* Sql
      const { dialect, execute, query, statements, transaction } = database
      const dials = yield* DialStatements
      const { id: process } = yield* Processes
      const finish = finishContacts(dialect)

      const dueTime = (campaign: CampaignId, direction: "asc" | "desc") =>
        query((db) =>
          db.selectFrom("ready").select("due_at")
            .where("campaign_id", "=", campaign)
            .orderBy("due_at", direction)
            .limit(1)
            .executeTakeFirst()
        ).pipe(Effect.map((row) => row?.due_at ?? null))

      return DialQueue.of({
        ready: dials.ready,
        nextDue: (campaign) => dueTime(campaign, "asc"),
        lastDue: (campaign) => dueTime(campaign, "desc"),
        // Where transactions run one at a time, or only one campaign is claimed for, there is no order to keep.
        hold: (campaigns, { isCounted } = { isCounted: false }) =>
          dialect.forUpdate === "" || campaigns.length < 2 && !isCounted
            ? Effect.void
            : Effect.asVoid(execute(holdCounts(dialect), [JSON.stringify(campaigns)])),
        claimMany: dials.claimMany,
        release: (options) => transaction(query((db) => releaseContact(db, options))),
        defer: (campaign, deferrals) =>
          transaction(
            Effect.forEach(deferrals, (deferral) =>
              query((db) => deferContact(db, dialect, { campaign_id: campaign, deferral })), {
              discard: true
            })
          ),
        retriesOf: dials.retriesOf,
        settleMany: settleContacts(database, process),
        finish: (campaign, numbers, decision) =>
          Effect.asVoid(
            transaction(inBatches(numbers, (batch) => statements(() => finish(campaign, batch, decision))))
          )
      })
    })
  ).pipe(Layer.provide(DialStatements.layer))
}
