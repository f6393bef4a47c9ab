import { Board, BoardStore, BoardSummary, summaryOf } from "@trunkline/boards"
import type { Scope } from "@trunkline/kernel"
import { Effect, Layer, Option } from "effect"
import { bodyOf, columnsOf } from "./Rows.js"
import { Sql } from "./Sql.js"

const whole = bodyOf(Board)
const summaries = bodyOf(BoardSummary)

const rowOf = (scope: Scope, board: Board) => ({
  ...columnsOf(scope),
  id: board.id,
  name: board.name,
  updated_at: board.updated_at.epochMillis,
  summary: summaries.encode(summaryOf(board)),
  body: whole.encode(board)
})

/** `BoardStore` in SQL. To take the name of another board of the workspace is a defect. */
export const BoardStoreSql = {
  layer: Layer.effect(
    BoardStore,
    Effect.gen(function*() {
      const { query } = yield* Sql
      return BoardStore.of({
        put: (scope, board) =>
          query((db) => {
            const row = rowOf(scope, board)
            return db.insertInto("boards").values(row)
              .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
              .execute()
          }).pipe(Effect.asVoid),
        find: (scope, id) =>
          query((db) =>
            db.selectFrom("boards").select("body")
              .where((is) => is.and({ id, ...columnsOf(scope) }))
              .executeTakeFirst()
          ).pipe(Effect.map(whole.read)),
        findByName: (scope, name) =>
          query((db) =>
            db.selectFrom("boards").select("summary")
              .where((is) => is.and({ ...columnsOf(scope), name }))
              .executeTakeFirst()
          ).pipe(Effect.map(Option.fromNullable), Effect.map(Option.map(({ summary }) => summaries.decode(summary)))),
        list: (scope, { limit, offset }) =>
          query(async (db) => {
            const boards = db.selectFrom("boards").where((is) => is.and(columnsOf(scope)))
            const { total } = await boards.select((is) => is.fn.countAll<number>().as("total"))
              .executeTakeFirstOrThrow()
            const rows = await boards.select("summary")
              .orderBy("updated_at", "desc")
              .orderBy("id")
              .limit(limit)
              .offset(offset)
              .execute()
            return { items: rows.map(({ summary }) => summaries.decode(summary)), total }
          }),
        remove: (scope, id) =>
          query((db) => db.deleteFrom("boards").where((is) => is.and({ id, ...columnsOf(scope) })).executeTakeFirst())
            .pipe(Effect.map(({ numDeletedRows }) => numDeletedRows > 0))
      })
    })
  )
}
