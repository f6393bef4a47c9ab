import { ContactStore } from "@trunkline/campaigns"
import { type CampaignId, Processes } from "@trunkline/kernel"
import { Array, Effect, Layer } from "effect"
import { Sql } from "../sql/Sql.js"
import { listContacts } from "./ContactLists.js"
import { DialStatements } from "./DialStatements.js"
import { totalsOf } from "./DispatchCounts.js"
import { enrolContacts } from "./DispatchQueue.js"

/** `ContactStore` in SQL. */
export const ContactStoreSql = {
  layer: Layer.effect(
    ContactStore,
    Effect.gen(function*() {
      const { dialect, query, statements } = yield* Sql
      const dials = yield* DialStatements
      const { id: process } = yield* Processes
      const totals = (campaign: CampaignId) => statements(() => totalsOf(campaign, process))

      return ContactStore.of({
        enrol: (campaign, contacts, cursor) => statements(() => enrolContacts(campaign, contacts, cursor)),
        cursor: (campaign) =>
          query((db) =>
            db.selectFrom("dispatch").select(["completed_seq", "row"])
              .where("campaign_id", "=", campaign)
              .where("completed_seq", ">", 0)
              .executeTakeFirst()
          ).pipe(Effect.map((row) => row ?? null)),
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
        list: (campaign, listing) => query((db) => listContacts(db, dialect, { campaign, listing })),
        counts: (campaign) => Effect.map(totals(campaign), ({ contacts }) => contacts),
        totals
      })
    })
  ).pipe(Layer.provide(DialStatements.layer))
}
