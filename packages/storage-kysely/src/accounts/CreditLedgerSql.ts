import { AccountId, CreditLedger, type LedgerEntry, type UsageLine } from "@trunkline/rate-limits"
import { Effect, Layer, Option, Schema } from "effect"
import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { Sql } from "../sql/Sql.js"

const units = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Number }))
const encodeUnits = Schema.encodeSync(units)
const decodeUnits = Schema.decodeSync(units)

/** Marks usage without a key, because a primary key column cannot be null. No key has this id. */
const noKey = ""

const append = async (db: Kysely<Database>, { account_id, amount, at, kind, reference }: LedgerEntry) => {
  const { numInsertedOrUpdatedRows = 0n } = await db.insertInto("credit_entries")
    .values({ account_id, amount, at, kind, reference })
    .onConflict((conflict) => conflict.columns(["account_id", "reference"]).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) return false
  await db.insertInto("credit_balances").values({ account_id, balance: amount })
    .onConflict((conflict) =>
      conflict.column("account_id").doUpdateSet((row) => ({ balance: row("credit_balances.balance", "+", amount) }))
    )
    .execute()
  return true
}

/** The sum of two lines, for each unit. */
const sumOfUnits = sql<string>`(
  select json_group_object(unit, amount) from (
    select key as unit, sum(value) as amount from (
      select key, value from json_each(credit_usage.units)
      union all
      select key, value from json_each(excluded.units)
    ) group by key
  )
)`

const addUsage = (db: Kysely<Database>, { key_id, units, ...line }: UsageLine) =>
  db.insertInto("credit_usage").values({ ...line, key_id: key_id ?? noKey, units: encodeUnits(units) })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "day", "api", "key_id"]).doUpdateSet((row) => ({
        requests: row("credit_usage.requests", "+", row.ref("excluded.requests")),
        units: sumOfUnits,
        cost: row("credit_usage.cost", "+", row.ref("excluded.cost")),
        charged: row("credit_usage.charged", "+", row.ref("excluded.charged"))
      }))
    )
    .execute()

/** `CreditLedger` in SQL. */
export const CreditLedgerSql = {
  layer: Layer.effect(
    CreditLedger,
    Effect.gen(function*() {
      const { query, transaction } = yield* Sql
      return CreditLedger.of({
        append: (entry) => transaction(query((db) => append(db, entry))),
        balance: (account) =>
          query((db) =>
            db.selectFrom("credit_balances").select("balance").where("account_id", "=", account).executeTakeFirst()
          ).pipe(Effect.map((row) => row?.balance ?? 0)),
        entries: (account, limit) =>
          query((db) =>
            db.selectFrom("credit_entries").select(["reference", "account_id", "kind", "amount", "at"])
              .where("account_id", "=", account)
              .orderBy("seq", "desc")
              .limit(limit)
              .execute()
          ).pipe(Effect.map((rows) => rows.map((row) => ({ ...row, account_id: AccountId.make(row.account_id) })))),
        putReservation: ({ account_id, amount, api, expires_at, key_id, request_id }) =>
          query((db) => {
            const row = { account_id, amount, api, expires_at, key_id, request_id }
            return db.insertInto("credit_reservations").values(row)
              .onConflict((conflict) => conflict.column("request_id").doUpdateSet(row))
              .execute()
          }).pipe(Effect.asVoid),
        findReservation: (id) =>
          query((db) =>
            db.selectFrom("credit_reservations").selectAll().where("request_id", "=", id).executeTakeFirst()
          ).pipe(
            Effect.map(Option.fromNullable),
            Effect.map(Option.map((row) => ({ ...row, account_id: AccountId.make(row.account_id) })))
          ),
        deleteReservation: (id) =>
          query((db) => db.deleteFrom("credit_reservations").where("request_id", "=", id).execute()).pipe(
            Effect.asVoid
          ),
        deleteExpired: (now) =>
          query((db) => db.deleteFrom("credit_reservations").where("expires_at", "<=", now).execute()).pipe(
            Effect.asVoid
          ),
        reserved: ({ account_id, key_id }) =>
          query((db) =>
            db.selectFrom("credit_reservations")
              .select((of) => of.fn.coalesce(of.fn.sum<number>("amount"), of.lit(0)).as("amount"))
              .where((is) => is.and({ account_id, ...(key_id === undefined ? {} : { key_id }) }))
              .executeTakeFirstOrThrow()
          ).pipe(Effect.map(({ amount }) => amount)),
        addUsage: (line) => Effect.asVoid(query((db) => addUsage(db, line))),
        usage: ({ account_id, from, key_id, to }) =>
          query((db) =>
            db.selectFrom("credit_usage").selectAll()
              .where((is) => is.and({ account_id, ...(key_id === undefined ? {} : { key_id }) }))
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
