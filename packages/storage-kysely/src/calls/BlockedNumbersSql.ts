import { PhoneNumber, unchecked } from "@trunkline/kernel"
import { type BlockedNumber, BlockedNumbersStore } from "@trunkline/telephony"
import { DateTime, Effect, Layer } from "effect"
import { sql } from "kysely"
import { inBatches, scopeColumns } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"

interface Row {
  readonly phone_number: string
  readonly reason: string | null
  readonly created_at: number
  readonly created_by: string
}

const columns = ["phone_number", "reason", "created_at", "created_by"] as const

const findText = ({ textRows }: SqlDialect) => `
  select ${columns.join(", ")} from blocked_numbers
  where org_id = ? and workspace_id = ? and phone_number in (select value from ${textRows("number")})
`

const read = ({ created_at, created_by, phone_number, reason }: Row): BlockedNumber => ({
  phone_number: PhoneNumber.make(phone_number, unchecked),
  reason,
  created_at: DateTime.unsafeMake(created_at),
  created_by
})

/** `BlockedNumbersStore` in SQL. The total is kept up to date in a row of its own, because a list may have a million numbers. */
export const BlockedNumbersSql = {
  layer: Layer.effect(
    BlockedNumbersStore,
    Effect.gen(function*() {
      const { dialect, execute, query, transaction } = yield* Sql
      const find = findText(dialect)

      const count = (scope: Parameters<typeof scopeColumns>[0], change: number) =>
        query((db) =>
          db.insertInto("blocked_totals")
            .values({ ...scopeColumns(scope), total: change })
            .onConflict((other) =>
              other.columns(["org_id", "workspace_id"]).doUpdateSet({ total: sql`blocked_totals.total + ${change}` })
            )
            .execute()
        )

      return BlockedNumbersStore.of({
        add: (scope, numbers) =>
          inBatches(numbers, (batch) =>
            query((db) =>
              db.insertInto("blocked_numbers")
                .values(batch.map(({ created_at, ...number }) => ({
                  ...scopeColumns(scope),
                  ...number,
                  created_at: created_at.epochMillis
                })))
                .onConflict((other) => other.doNothing())
                .executeTakeFirstOrThrow()
            )).pipe(
              Effect.map((results) =>
                results.reduce((sum, { numInsertedOrUpdatedRows }) => sum + Number(numInsertedOrUpdatedRows ?? 0n), 0)
              ),
              Effect.flatMap((additions) => additions === 0 ? Effect.void : Effect.asVoid(count(scope, additions))),
              transaction
            ),
        remove: (scope, phone_number) =>
          query((db) =>
            db.deleteFrom("blocked_numbers")
              .where((eb) => eb.and({ ...scopeColumns(scope), phone_number }))
              .executeTakeFirstOrThrow()
          ).pipe(
            Effect.map(({ numDeletedRows }) => numDeletedRows > 0n),
            Effect.tap((isRemoved) => isRemoved ? count(scope, -1) : Effect.void),
            transaction
          ),
        find: (scope, numbers) =>
          inBatches(numbers, (batch) => execute<Row>(find, [scope.org_id, scope.workspace_id, JSON.stringify(batch)]))
            .pipe(
              Effect.map((results) => results.flatMap(({ rows }) => rows.map(read)))
            ),
        list: (scope, { limit, offset }) =>
          query(async (db) => {
            const workspace = scopeColumns(scope)
            const totalRow = await db.selectFrom("blocked_totals")
              .select("total")
              .where((eb) => eb.and(workspace))
              .executeTakeFirst()
            const rows = await db.selectFrom("blocked_numbers")
              .select(columns)
              .where((eb) => eb.and(workspace))
              .orderBy("created_at", "desc")
              .orderBy("phone_number")
              .limit(limit)
              .offset(offset)
              .execute()
            return { items: rows.map(read), total: totalRow?.total ?? 0 }
          })
      })
    })
  )
}
