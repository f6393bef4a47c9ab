import { BillingUnavailable } from "@trunkline/errors"
import { describeCause, isStoreOutage } from "@trunkline/kernel"
import { Array, Cause, Effect, Option } from "effect"

/** Retry time of a ledger that another process keeps locked, or whose database is away; none for a broken one. */
const retryAfterOf = (cause: Cause.Cause<unknown>) =>
  Option.match(Array.findFirst(Cause.defects(cause), isStoreOutage), {
    onNone: () => ({}),
    onSome: ({ retryAfter }) => ({ retryAfter })
  })

/** Work on the ledger whose defects are logged, and become `BillingUnavailable`. */
export const orUnavailable = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E | BillingUnavailable> =>
  Effect.catchAllCause(work, (cause): Effect.Effect<never, E | BillingUnavailable> =>
    Cause.isDie(cause)
      ? Effect.zipRight(
        Effect.logError("The credit ledger is unavailable", describeCause(cause)),
        new BillingUnavailable(retryAfterOf(cause))
      )
      : Effect.failCause(cause))
