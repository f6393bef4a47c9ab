import { Transactions } from "@trunkline/kernel"
import { Effect, Layer } from "effect"
import { Sql } from "./Sql.js"

/** Transactions of the database. */
export const TransactionsSql = {
  layer: Layer.effect(
    Transactions,
    Effect.map(Sql, ({ transaction, waiting }) => Transactions.of({ run: transaction, waiting }))
  )
}
