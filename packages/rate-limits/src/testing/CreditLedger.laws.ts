import { assert, layer } from "@effect/vitest"
import { Transactions } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import { AccountId } from "../accounts/AccountStore.js"
import { CreditLedger, type LedgerEntry, type Reservation, type UsageLine } from "../credits/CreditLedger.js"

const noon = Date.UTC(2026, 0, 5, 12)

const accountOf = (name: string) => AccountId.make(`account-${name}`)

const entry = (name: string, change: Partial<LedgerEntry> = {}): LedgerEntry => ({
  reference: "grant",
  account_id: accountOf(name),
  kind: "grant",
  amount: 1_000,
  at: noon,
  ...change
})

const usageOf = (name: string, request: string, amount: number) =>
  entry(name, { reference: `usage:${request}`, kind: "usage", amount })

const reservation = (name: string, change: Partial<Reservation> = {}): Reservation => ({
  request_id: `request-${name}`,
  account_id: accountOf(name),
  key_id: "key-a",
  api: "chat",
  amount: 250,
  expires_at: noon,
  ...change
})

const line = (name: string, change: Partial<UsageLine> = {}): UsageLine => ({
  account_id: accountOf(name),
  key_id: "key-a",
  day: "2026-01-05",
  api: "chat",
  requests: 1,
  units: { input_token: 10 },
  cost: 20,
  charged: 15,
  ...change
})

const january = { from: "2026-01-01", to: "2026-01-31" }

/** Laws of `CreditLedger`. Each law uses its own accounts, so one layer can serve all laws. */
export const creditLedgerLaws = <E>(name: string, live: Layer.Layer<CreditLedger | Transactions, E>) =>
  layer(live)(`CreditLedger laws: ${name}`, (it) => {
    it.effect("keeps a balance equal to the sum of the account's entries", () =>
      Effect.gen(function*() {
        const ledger = yield* CreditLedger
        const account = accountOf("sum")
        assert.strictEqual(yield* ledger.balance(account), 0)
        assert.deepStrictEqual(yield* ledger.entries(account, 10), [])
        yield* ledger.append(entry("sum"))
        yield* ledger.append(entry("sum-other", { amount: 7 }))
        yield* ledger.append(usageOf("sum", "a", -300))
        yield* ledger.append(entry("sum", { reference: "invoice-1", amount: 50 }))
        assert.strictEqual(yield* ledger.balance(account), 750)
        assert.strictEqual(yield* ledger.balance(accountOf("sum-other")), 7)
      }))

    it.effect("accepts a reference once per account, also with an amount of 0", () =>
      Effect.gen(function*() {
        const ledger = yield* CreditLedger
        assert.isTrue(yield* ledger.append(entry("once")))
        assert.isFalse(yield* ledger.append(entry("once", { amount: 5, at: noon + 1 })))
        assert.isTrue(yield* ledger.append(usageOf("once", "a", 0)))
        assert.isFalse(yield* ledger.append(usageOf("once", "a", -10)))
        assert.isTrue(yield* ledger.append(entry("once-other")))
        assert.strictEqual(yield* ledger.balance(accountOf("once")), 1_000)
        assert.deepStrictEqual(yield* ledger.entries(accountOf("once"), 10), [usageOf("once", "a", 0), entry("once")])
      }))

    it.effect("lists entries newest first, up to the limit", () =>
      Effect.gen(function*() {
        const ledger = yield* CreditLedger
        const entries = [
          entry("newest", { at: noon - 1 }),
          entry("newest", { reference: "z" }),
          entry("newest", { reference: "a" }),
          entry("newest", { reference: "m" }),
          entry("newest", { reference: "later", at: noon + 1 })
        ]
        yield* Effect.forEach(entries, ledger.append)
        const newestFirst = entries.toReversed()
        assert.deepStrictEqual(yield* ledger.entries(accountOf("newest"), 10), newestFirst)
        assert.deepStrictEqual(yield* ledger.entries(accountOf("newest"), 3), newestFirst.slice(0, 3))
      }))

    it.effect("keeps amounts exact up to the largest safe integer", () =>
      Effect.gen(function*() {
        const ledger = yield* CreditLedger
        const account_id = accountOf("exact")
        yield* ledger.append(entry("exact", { amount: Number.MAX_SAFE_INTEGER }))
        yield* ledger.append(usageOf("exact", "a", -1))
        yield* ledger.putReservation(reservation("exact", { amount: Number.MAX_SAFE_INTEGER - 2 }))
        yield* ledger.addUsage(line("exact", { cost: Number.MAX_SAFE_INTEGER - 1 }))
        yield* ledger.addUsage(line("exact", { cost: 1 }))
        assert.strictEqual(yield* ledger.balance(account_id), Number.MAX_SAFE_INTEGER - 1)
        assert.strictEqual(yield* ledger.reserved({ account_id }), Number.MAX_SAFE_INTEGER - 2)
        const [used] = yield* ledger.usage({ account_id, ...january })
        assert.strictEqual(used?.cost, Number.MAX_SAFE_INTEGER)
      }))

    it.effect("finds, replaces and deletes the reservation of a request", () =>
      Effect.gen(function*() {
        const ledger = yield* CreditLedger
        const first = reservation("keep")
        const second = reservation("keep", { amount: 300, key_id: null, api: "voice_cloning", expires_at: noon + 1 })
        yield* ledger.putReservation(first)
        assert.deepStrictEqual(yield* ledger.findReservation(first.request_id), Option.some(first))
        yield* ledger.putReservation(second)
        assert.deepStrictEqual(yield* ledger.findReservation(first.request_id), Option.some(second))
        assert.strictEqual(yield* ledger.reserved({ account_id: first.account_id }), 300)
        yield* ledger.deleteReservation(first.request_id)
        yield* ledger.deleteReservation(first.request_id)
        assert.deepStrictEqual(yield* ledger.findReservation(first.request_id), Option.none())
        assert.strictEqual(yield* ledger.reserved({ account_id: first.account_id }), 0)
      }))

    it.effect("sums reservations by account and by key", () =>
      Effect.gen(function*() {
        const ledger = yield* CreditLedger
        const account_id = accountOf("reserved")
        yield* ledger.putReservation(reservation("reserved", { amount: 1 }))
        yield* ledger.putReservation(reservation("reserved", { request_id: "request-reserved-2", amount: 10 }))
        const others = [{ key_id: "key-b", amount: 100 }, { key_id: null, amount: 1_000 }]
        yield* Effect.forEach(others, (other, index) =>
          ledger.putReservation(reservation("reserved", { ...other, request_id: `request-reserved-other-${index}` })))
        yield* ledger.putReservation(reservation("reserved-other", { amount: 10_000 }))
        assert.strictEqual(yield* ledger.reserved({ account_id }), 1_111)
        assert.strictEqual(yield* ledger.reserved({ account_id, key_id: "key-a" }), 11)
        assert.strictEqual(yield* ledger.reserved({ account_id, key_id: "key-b" }), 100)
        assert.strictEqual(yield* ledger.reserved({ account_id, key_id: "key-none" }), 0)
      }))

    it.effect("deletes reservations of all accounts that expired at or before a time", () =>
      Effect.gen(function*() {
        const ledger = yield* CreditLedger
        const [early, due] = [reservation("early", { expires_at: 999 }), reservation("due", { expires_at: 1_000 })]
        const open = reservation("open", { expires_at: 1_001 })
        yield* Effect.forEach([early, due, open], ledger.putReservation)
        assert.deepStrictEqual(yield* ledger.findReservation(early.request_id), Option.some(early))
        yield* ledger.deleteExpired(1_000)
        const reservations = yield* Effect.forEach([early, due, open], ({ request_id }) =>
          ledger.findReservation(request_id))
        assert.deepStrictEqual(reservations, [Option.none(), Option.none(), Option.some(open)])
      }))

    it.effect("sums usage per account, key, day and family", () =>
      Effect.gen(function*() {
        const ledger = yield* CreditLedger
        const account_id = accountOf("usage")
        yield* ledger.addUsage(line("usage"))
        yield* ledger.addUsage(line("usage", { requests: 2, units: { input_token: 5, page: 1 }, cost: 3, charged: 0 }))
        const keyless = line("usage", { key_id: null })
        const tomorrow = line("usage", { day: "2026-01-06" })
        yield* Effect.forEach([tomorrow, keyless, line("usage-other")], ledger.addUsage)
        const sum = line("usage", { requests: 3, units: { input_token: 15, page: 1 }, cost: 23, charged: 15 })
        assert.deepStrictEqual(yield* ledger.usage({ account_id, ...january }), [keyless, sum, tomorrow])
      }))

    it.effect("lists usage of the selected days and key by day, family and key", () =>
      Effect.gen(function*() {
        const ledger = yield* CreditLedger
        const account_id = accountOf("query")
        const lines = [
          line("query", { day: "2025-12-31", api: "z" }),
          line("query", { api: "chat", key_id: null }),
          line("query", { api: "chat", key_id: "key-A" }),
          line("query", { api: "chat", key_id: "key-a" }),
          line("query", { api: "document", key_id: null }),
          line("query", { day: "2026-01-31", api: "a" })
        ]
        yield* Effect.forEach(lines.toReversed(), ledger.addUsage)
        assert.deepStrictEqual(yield* ledger.usage({ account_id, from: "2025-01-01", to: "2026-12-31" }), lines)
        assert.deepStrictEqual(yield* ledger.usage({ account_id, ...january }), lines.slice(1))
        const oneDay = { account_id, from: "2026-01-05", to: "2026-01-05" }
        assert.deepStrictEqual(yield* ledger.usage(oneDay), lines.slice(1, 5))
        assert.deepStrictEqual(yield* ledger.usage({ ...oneDay, key_id: "key-a" }), lines.slice(3, 4))
        assert.deepStrictEqual(yield* ledger.usage({ ...oneDay, key_id: "key-none" }), [])
        assert.deepStrictEqual(yield* ledger.usage({ ...oneDay, account_id: accountOf("query-none") }), [])
      }))

    it.effect("reads its own writes in a transaction and rolls them back when it fails", () =>
      Effect.gen(function*() {
        const ledger = yield* CreditLedger
        const { run } = yield* Transactions
        const account_id = accountOf("rollback")
        const [kept, swept] = [reservation("rollback"), reservation("swept", { account_id, expires_at: 500 })]
        const newReservation = reservation("added", { account_id })
        yield* ledger.append(entry("rollback"))
        yield* Effect.forEach([kept, swept], ledger.putReservation)
        yield* ledger.addUsage(line("rollback"))
        const look = Effect.all({
          balance: ledger.balance(account_id),
          entries: ledger.entries(account_id, 10),
          reserved: ledger.reserved({ account_id }),
          reservations: Effect.forEach([kept, swept, newReservation], ({ request_id }) =>
            ledger.findReservation(request_id)),
          usage: ledger.usage({ account_id, ...january })
        })
        const before = yield* look
        const inside = yield* Effect.flip(run(Effect.gen(function*() {
          assert.isTrue(yield* ledger.append(usageOf("rollback", "a", -400)))
          yield* ledger.deleteExpired(500)
          yield* ledger.deleteReservation(kept.request_id)
          yield* ledger.putReservation(newReservation)
          yield* ledger.addUsage(line("rollback"))
          return yield* Effect.flatMap(look, Effect.fail)
        })))
        assert.deepStrictEqual(inside, {
          balance: 600,
          entries: [usageOf("rollback", "a", -400), entry("rollback")],
          reserved: 250,
          reservations: [Option.none(), Option.none(), Option.some(newReservation)],
          usage: [line("rollback", { requests: 2, units: { input_token: 20 }, cost: 40, charged: 30 })]
        })
        assert.deepStrictEqual(yield* look, before)
        assert.isTrue(yield* ledger.append(usageOf("rollback", "a", -1)))
      }))

    it.effect("serializes transactions that check the balance before they charge", () =>
      Effect.gen(function*() {
        const ledger = yield* CreditLedger
        const { run } = yield* Transactions
        const account_id = accountOf("many")
        yield* ledger.append(entry("many"))
        const takes = Array.from({ length: 20 }, (_, index) =>
          run(Effect.gen(function*() {
            const isThere = (yield* ledger.balance(account_id)) >= 300
            yield* Effect.yieldNow()
            return isThere && (yield* ledger.append(usageOf("many", String(index), -300)))
          })))
        const results = yield* Effect.all(takes, { concurrency: "unbounded" })
        assert.strictEqual(results.filter((took) => took).length, 3)
        assert.strictEqual(yield* ledger.balance(account_id), 100)
        const sum = (yield* ledger.entries(account_id, 100)).reduce((sum, { amount }) => sum + amount, 0)
        assert.strictEqual(sum, 100)
      }))
  })
