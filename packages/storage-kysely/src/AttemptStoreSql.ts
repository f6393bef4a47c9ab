import { type AttemptId, trusted } from "@trunkline/kernel"
import { Attempt, AttemptStore } from "@trunkline/telephony"
import { Effect, Layer, Option } from "effect"
import { sql } from "kysely"
import { bodyOf } from "./Rows.js"
import { Sql } from "./Sql.js"

const { decode, encode, read } = bodyOf(Attempt)

const rowOf = (attempt: Attempt) => ({
  attempt_id: attempt.attempt_id,
  state: attempt.state,
  body: encode(attempt)
})

/** `AttemptStore` in SQL. */
export const AttemptStoreSql = {
  layer: Layer.effect(
    AttemptStore,
    Effect.gen(function*() {
      const { query, transaction } = yield* Sql

      const find = (id: AttemptId) =>
        query((db) => db.selectFrom("attempts").select("body").where("attempt_id", "=", id).executeTakeFirst()).pipe(
          Effect.map(read)
        )

      const change = (id: AttemptId, from: (state: Attempt["state"]) => boolean, changes: Partial<Attempt>) =>
        find(id).pipe(
          Effect.map(Option.filter(({ state }) => from(state))),
          Effect.flatMap(Effect.transposeMapOption((before) => {
            const attempt = new Attempt({ ...before, ...changes }, trusted)
            const write = query((db) =>
              db.updateTable("attempts").set(rowOf(attempt)).where("attempt_id", "=", id).execute()
            )
            return Effect.as(write, attempt)
          })),
          transaction
        )

      return AttemptStore.of({
        insert: (attempt) => Effect.asVoid(query((db) => db.insertInto("attempts").values(rowOf(attempt)).execute())),
        claim: (id, attempted_at) =>
          Effect.map(change(id, (state) => state === "pending", { state: "claimed", attempted_at }), Option.isSome),
        accept: (id, provider_call_id) =>
          Effect.map(
            change(id, (state) => state === "claimed", { state: "accepted", provider_call_id }),
            Option.isSome
          ),
        end: (id, result) => change(id, (state) => state !== "ended", { state: "ended", result }),
        withdraw: (attempt_id) =>
          query((db) =>
            db.deleteFrom("attempts").where((is) => is.and({ attempt_id, state: "claimed" })).executeTakeFirst()
          ).pipe(Effect.map(({ numDeletedRows }) => numDeletedRows > 0)),
        find,
        unfinished: query((db) =>
          db.selectFrom("attempts").select("body").where(sql<boolean>`state <> 'ended'`).orderBy("attempt_id").execute()
        ).pipe(Effect.map((rows) => rows.map(({ body }) => decode(body))))
      })
    })
  )
}
