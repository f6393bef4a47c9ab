import { CallJournalStore, JournalEntry } from "@trunkline/telephony"
import { Effect, Layer } from "effect"
import { inBatches, jsonColumn } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"

const Entry = jsonColumn(JournalEntry)

/** `CallJournalStore` in SQL. */
export const CallJournalSql = {
  layer: Layer.effect(
    CallJournalStore,
    Effect.gen(function*() {
      const { query, transaction } = yield* Sql
      return CallJournalStore.of({
        append: (lines) =>
          inBatches(lines, (batch) =>
            query((db) =>
              db.insertInto("call_journal")
                .values(batch.map(({ attempt_id, entry }) => ({ attempt_id, entry: Entry.encode(entry) })))
                .execute()
            )).pipe(transaction, Effect.asVoid),
        ofAttempt: (attempt_id) =>
          query((db) =>
            db.selectFrom("call_journal").select("entry").where("attempt_id", "=", attempt_id).orderBy("place")
              .execute()
          ).pipe(Effect.map((rows) => rows.map(({ entry }) => Entry.decode(entry)))),
        remove: (ids) =>
          inBatches(
            ids,
            (batch) => query((db) => db.deleteFrom("call_journal").where("attempt_id", "in", batch).execute())
          ).pipe(
            transaction,
            Effect.asVoid
          )
      })
    })
  )
}
