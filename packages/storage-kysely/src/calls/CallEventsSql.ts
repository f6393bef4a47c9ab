import { CallEvent, CallEventStore } from "@trunkline/telephony"
import { Effect, Layer, Option, Schema } from "effect"
import { sql } from "kysely"
import { inBatches } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"

const columns = ["event_id", "provider_call_id", "attempt_id", "news"] as const
const encodeNews = Schema.encodeSync(Schema.parseJson(CallEvent.fields.news))
const read = Schema.decodeSync(Schema.Struct({ ...CallEvent.fields, news: Schema.parseJson(CallEvent.fields.news) }))

/** `CallEventStore` in SQL. */
export const CallEventsSql = {
  layer: Layer.effect(
    CallEventStore,
    Effect.gen(function*() {
      const { query, transaction } = yield* Sql
      return CallEventStore.of({
        insert: (provider, events, received_at) =>
          inBatches(events, (batch) =>
            query((db) =>
              db.insertInto("call_events")
                .values(
                  batch.map(({ news, ...event }) => ({ provider, received_at, ...event, news: encodeNews(news) }))
                )
                .onConflict((other) => other.columns(["provider", "event_id"]).doNothing())
                .returning(columns)
                .execute()
            )).pipe(Effect.map((rows) => rows.flat().map((row) => read(row))), transaction),
        ofCall: (provider, provider_call_id) =>
          query((db) =>
            db.selectFrom("call_events")
              .select(columns)
              .where((eb) => eb.and({ provider, provider_call_id }))
              .orderBy("place")
              .execute()
          ).pipe(Effect.map((rows) => rows.map((row) => read(row)))),
        callOf: (provider, attempt_id) =>
          query((db) =>
            db.selectFrom("call_events")
              .select("provider_call_id")
              .where((eb) => eb.and({ provider, attempt_id }))
              .orderBy("place")
              .limit(1)
              .executeTakeFirst()
          ).pipe(Effect.map(Option.fromNullable), Effect.map(Option.map(({ provider_call_id }) => provider_call_id))),
        removeBefore: (moment, limit) =>
          query((db) =>
            sql`
              delete from call_events where place in (
                select place from call_events where received_at < ${moment} order by received_at, place limit ${limit}
              )
            `.execute(db)
          ).pipe(Effect.map(({ numAffectedRows }) => Number(numAffectedRows ?? 0n)))
      })
    })
  )
}
