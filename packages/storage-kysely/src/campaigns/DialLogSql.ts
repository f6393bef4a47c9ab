import { DialLog } from "@trunkline/campaigns"
import { Processes } from "@trunkline/kernel"
import { Effect, Layer } from "effect"
import { Sql } from "../sql/Sql.js"
import { countDials, recordDials, removeDial } from "./DialCounts.js"
import { DialStatements } from "./DialStatements.js"

/** `DialLog` in SQL. */
export const DialLogSql = {
  layer: Layer.effect(
    DialLog,
    Effect.gen(function*() {
      const { dialect, query, transaction } = yield* Sql
      const dials = yield* DialStatements
      const { id: process } = yield* Processes

      return DialLog.of({
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
        dialsOf: (scope, since, numbers) => query((db) => countDials(db, scope, since, numbers)),
        onThePhone: (scope, numbers) => dials.onThePhone(scope, numbers, process)
      })
    })
  ).pipe(Layer.provide(DialStatements.layer))
}
