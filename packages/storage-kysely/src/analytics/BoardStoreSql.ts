import { Board, BoardStore, BoardSummary, summaryOf } from "@trunkline/boards"
import type { Scope } from "@trunkline/kernel"
import { Effect, Layer, Option } from "effect"
import { jsonColumn, scopeColumns } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"

const boards = jsonColumn(Board)
const summaries = jsonColumn(BoardSummary)

const rowOf = (scope: Scope, board: Board) => ({
  ...scopeColumns(scope),
  id: board.id,
  name: board.name,
  updated_at: board.updated_at.epochMillis,
  summary: summaries.encode(summaryOf(board)),
  body: boards.encode(board)
})

/** `BoardStore` in SQL. Storing a board under the name of another board of the workspace is a defect. */
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
              .where((eb) => eb.and({ id, ...scopeColumns(scope) }))
              .executeTakeFirst()
          ).pipe(Effect.map(boards.read)),
        findByName: (scope, name) =>
          query((db) =>
            db.selectFrom("boards").select("summary")
              .where((eb) => eb.and({ ...scopeColumns(scope), name }))
              .executeTakeFirst()
          ).pipe(Effect.map(Option.fromNullable), Effect.map(Option.map(({ summary }) => summaries.decode(summary)))),
        list: (scope, { limit, offset }) =>
          query(async (db) => {
            const rows = db.selectFrom("boards").where((eb) => eb.and(scopeColumns(scope)))
            const { total } = await rows.select((of) => of.fn.countAll<number>().as("total"))
              .executeTakeFirstOrThrow()
            const page = await rows.select("summary")
              .orderBy("updated_at", "desc")
              .orderBy("id")
              .limit(limit)
              .offset(offset)
              .execute()
            return { items: page.map(({ summary }) => summaries.decode(summary)), total }
          }),
        remove: (scope, id) =>
          query((db) =>
            db.deleteFrom("boards").where((eb) => eb.and({ id, ...scopeColumns(scope) })).executeTakeFirst()
          )
            .pipe(Effect.map(({ numDeletedRows }) => numDeletedRows > 0))
      })
    })
  )
}
