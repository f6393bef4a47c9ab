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
import { LedgerFuse } from "@trunkline/rate-limits/testing"
import { Effect, Layer } from "effect"

export const acme = AccountId.make("acme")
export const globex = AccountId.make("globex")
/** An account without limit. */
export const free = AccountId.make("free")

export const payer: Payer = { account_id: acme, key_id: "key-a" }

/** Transactions in memory after which other fibers come first, as they do after those of a database. */
const transactions = Layer.effect(
  Transactions,
  Effect.map(
    Transactions,
    ({ run, waiting }) => Transactions.of({ waiting, run: (effect) => Effect.zipLeft(run(effect), Effect.yieldNow()) })
  )
).pipe(Layer.provide(Transactions.layerMemory))

/** Credits in memory at a micro-credit per character, with the accounts above; acme has 100. */
export const credits = (options: CreditsOptions = {}) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const accounts = yield* AccountStore
    const credits = yield* Credits
    yield* Effect.forEach([acme, globex, free], (account_id) =>
      accounts.putAccount(new Account({ account_id, plan: "pro", credits: account_id === free ? null : 0 })))
    yield* credits.grant({ account_id: acme, micro_credits: 100, reference: "first" })
  })).pipe(
    Layer.provideMerge(Credits.layer({ prices: { talk: { character: 1 }, sums: { page: 10 } }, ...options })),
    Layer.provideMerge(LedgerFuse.layer),
    Layer.provideMerge(
      Layer.mergeAll(AccountStore.layerMemory, CreditLedger.layerMemory, transactions)
    )
  )

/** A request of acme's that may cost so much at the most. */
export const asking = (request_id: string, character: number, who: Payer = payer) => ({
  payer: who,
  request_id,
  api: "talk",
  most: { character }
})

/** A request of acme's that did cost so much. */
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

export const standing = (account = acme) => Effect.flatMap(Credits, (credits) => credits.standing(account))

export const usage = (account_id = acme) =>
  Effect.flatMap(Credits, (credits) => credits.usage({ account_id, from: "0000-01-01", to: "9999-12-31" }))
