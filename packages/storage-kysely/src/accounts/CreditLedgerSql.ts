import { unchecked } from "@trunkline/kernel"
import { AccountId, CreditLedger, type LedgerEntry, type Reservation } from "@trunkline/rate-limits"
import { Effect, Layer, Option, Schema } from "effect"
import { Sql } from "../sql/Sql.js"
import type { SqlValue } from "../sql/Statement.js"
import { ledgerStatements } from "./LedgerStatements.js"

const units = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Number }))
const decodeUnits = Schema.decodeSync(units)

/** Marks usage without a key, because a primary key column cannot be null. No key has this id. */
const noKey = ""

type ReservationRow = Omit<Reservation, "account_id"> & { readonly account_id: string }

const reservationOf = (row: ReservationRow): Reservation => ({
  ...row,
  account_id: AccountId.make(row.account_id, unchecked)
})

/** `CreditLedger` in SQL. */
export const CreditLedgerSql = {
  layer: Layer.effect(
    CreditLedger,
    Effect.gen(function*() {
      const { dialect, execute, query, transaction } = yield* Sql
      const statements = ledgerStatements(dialect)
      const run = (text: string, values: ReadonlyArray<SqlValue>) => Effect.asVoid(execute(text, values))
      const append = ({ account_id, amount, at, kind, reference }: LedgerEntry) =>
        Effect.flatMap(
          execute(statements.appendEntry, [account_id, reference, kind, amount, at]),
          ({ numAffectedRows = 0n }) =>
            numAffectedRows === 0n
              ? Effect.succeed(false)
              : Effect.as(execute(statements.addToBalance, [account_id, amount]), true)
        )

      return CreditLedger.of({
        append: (entry) => transaction(append(entry)),
        balance: (account) =>
          Effect.map(
            execute<{ readonly balance: number }>(statements.balance, [account]),
            ({ rows: [row] }) => row?.balance ?? 0
          ),
        entries: (account, limit) =>
          query((db) =>
            db.selectFrom("credit_entries").select(["reference", "account_id", "kind", "amount", "at"])
              .where("account_id", "=", account)
              .orderBy("seq", "desc")
              .limit(limit)
              .execute()
          ).pipe(Effect.map((rows) => rows.map((row) => ({ ...row, account_id: AccountId.make(row.account_id) })))),
        putReservation: ({ account_id, amount, api, expires_at, key_id, request_id }) =>
          run(statements.putReservation, [request_id, account_id, key_id, api, amount, expires_at]),
        findReservation: (id) =>
          Effect.map(
            execute<ReservationRow>(statements.findReservation, [id]),
            ({ rows: [row] }) => Option.map(Option.fromNullable(row), reservationOf)
          ),
        deleteReservation: (id) => run(statements.deleteReservation, [id]),
        deleteExpired: (now) => run(statements.deleteExpired, [now]),
        reserved: ({ account_id, key_id }) =>
          Effect.map(
            key_id === undefined
              ? execute<{ readonly amount: number }>(statements.reservedByAccount, [account_id])
              : execute<{ readonly amount: number }>(statements.reservedByKey, [account_id, key_id]),
            ({ rows: [row] }) => row?.amount ?? 0
          ),
        addUsage: ({ account_id, api, charged, cost, day, key_id, requests, units }) =>
          run(statements.addUsage, [
            account_id,
            day,
            api,
            key_id ?? noKey,
            requests,
            JSON.stringify(units),
            cost,
            charged
          ]),
        usage: ({ account_id, from, key_id, to }) =>
          query((db) =>
            db.selectFrom("credit_usage")
              .select(["account_id", "day", "api", "key_id", "requests", "units", "cost", "charged"])
              .where((eb) => eb.and({ account_id, ...(key_id === undefined ? {} : { key_id }) }))
              .where("day", ">=", from)
              .where("day", "<=", to)
              .orderBy("day")
              .orderBy("api")
              .orderBy("key_id")
              .execute()
          ).pipe(Effect.map((rows) =>
            rows.map((row) => ({
              ...row,
              account_id: AccountId.make(row.account_id),
              key_id: row.key_id === noKey ? null : row.key_id,
              units: decodeUnits(row.units)
            }))
          ))
      })
    })
  )
}
