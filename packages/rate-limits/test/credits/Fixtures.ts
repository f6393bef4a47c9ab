import { Transactions } from "@trunkline/kernel"
import {
  Account,
  AccountId,
  AccountStore,
  CreditLedger,
  Credits,
  type CreditsOptions,
  type Payer
} from "@trunkline/rate-limits"
import { LedgerFault } from "@trunkline/rate-limits/testing"
import { Effect, Layer } from "effect"

export const acme = AccountId.make("acme")
export const globex = AccountId.make("globex")
/** An unlimited account. */
export const free = AccountId.make("free")

export const payer: Payer = { account_id: acme, key_id: "key-a" }

/** Memory transactions that yield to other fibers afterwards, like those of a database. */
const transactions = Layer.effect(
  Transactions,
  Effect.map(
    Transactions,
    ({ run, ...waiting }) =>
      Transactions.of({ ...waiting, run: (effect) => Effect.zipLeft(run(effect), Effect.yieldNow()) })
  )
).pipe(Layer.provide(Transactions.layerMemory))

/** Credits in memory at one micro-credit per character, with the accounts above; acme has 100. */
export const credits = (options: CreditsOptions = {}) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const accounts = yield* AccountStore
    const credits = yield* Credits
    yield* Effect.forEach([acme, globex, free], (account_id) =>
      accounts.putAccount(new Account({ account_id, plan: "pro", credits: account_id === free ? null : 0 })))
    yield* credits.grant({ account_id: acme, micro_credits: 100, reference: "first" })
  })).pipe(
    Layer.provideMerge(Credits.layer({ prices: { talk: { character: 1 }, sums: { page: 10 } }, ...options })),
    Layer.provideMerge(LedgerFault.layer),
    Layer.provideMerge(
      Layer.mergeAll(AccountStore.layerMemory, CreditLedger.layerMemory, transactions)
    )
  )

/** A request by acme with the given maximum cost. */
export const asking = (request_id: string, character: number, who: Payer = payer) => ({
  payer: who,
  request_id,
  api: "talk",
  max: { character }
})

/** A completed request by acme with the given cost. */
export const using = (request_id: string, character: number, who: Payer = payer) => ({
  payer: who,
  request_id,
  api: "talk",
  used: { character }
})

export const reserve = (request_id: string, character: number, who: Payer = payer) =>
  Effect.flatMap(Credits, (credits) => credits.reserve(asking(request_id, character, who)))

export const settle = (request_id: string, character: number, who: Payer = payer) =>
  Effect.flatMap(Credits, (credits) => credits.settle(using(request_id, character, who)))

export const standing = (account = acme) => Effect.flatMap(Credits, (credits) => credits.balance(account))

export const usage = (account_id = acme) =>
  Effect.flatMap(Credits, (credits) => credits.usage({ account_id, from: "0000-01-01", to: "9999-12-31" }))
