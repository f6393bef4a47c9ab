import { Context, Effect, Layer, Ref } from "effect"
import { CreditLedger } from "../credits/CreditLedger.js"

/** Test double that makes the credit ledger fail at a chosen call. */
export class LedgerFault extends Context.Tag("@trunkline/rate-limits/LedgerFault")<LedgerFault, {
  /** Makes the ledger die once, right after the given number of further calls; 0 disables the fault. */
  readonly inject: (calls: number) => Effect.Effect<void>
  /** Disables the fault; returns whether it has occurred since `inject`. */
  readonly clear: Effect.Effect<boolean>
}>() {
  /** Wraps the ledger; its calls also yield to other fibers. */
  static readonly layer = Layer.effectContext(Effect.gen(function*() {
    const ledger = yield* CreditLedger
    const remaining = yield* Ref.make(0)
    const broke = yield* Ref.make(false)

    const failWhenDue = Ref.updateAndGet(remaining, (calls) => calls - 1).pipe(
      Effect.filterOrElse(
        (calls) => calls !== 0,
        () => Effect.zipRight(Ref.set(broke, true), Effect.die(new Error("The disk is full")))
      )
    )
    const call = <A>(work: Effect.Effect<A>) =>
      Effect.yieldNow().pipe(Effect.zipRight(work), Effect.zipLeft(failWhenDue))

    return Context.make(
      CreditLedger,
      CreditLedger.of({
        append: (entry) => call(ledger.append(entry)),
        balance: (account) => call(ledger.balance(account)),
        entries: (account, limit) => call(ledger.entries(account, limit)),
        putReservation: (reservation) => call(ledger.putReservation(reservation)),
        findReservation: (request_id) => call(ledger.findReservation(request_id)),
        deleteReservation: (request_id) => call(ledger.deleteReservation(request_id)),
        deleteExpired: (now) => call(ledger.deleteExpired(now)),
        reserved: (holder) => call(ledger.reserved(holder)),
        addUsage: (line) => call(ledger.addUsage(line)),
        usage: (query) => call(ledger.usage(query))
      })
    ).pipe(Context.add(
      LedgerFault,
      LedgerFault.of({
        inject: (calls) => Effect.zipRight(Ref.set(broke, false), Ref.set(remaining, calls)),
        clear: Effect.zipRight(Ref.set(remaining, 0), Ref.get(broke))
      })
    ))
  }))
}
