import { Context, Effect, Layer, Ref } from "effect"
import { CreditLedger } from "./CreditLedger.js"

/** Breaks the credit ledger of a test at a chosen call. */
export class LedgerFuse extends Context.Tag("@trunkline/rate-limits/LedgerFuse")<LedgerFuse, {
  /** Lets the ledger die right after it has carried out so many more calls, once; with 0, not at all. */
  readonly light: (calls: number) => Effect.Effect<void>
  /** Lets nothing die any more; says whether something died since the fuse was lit. */
  readonly putOut: Effect.Effect<boolean>
}>() {
  /** A fuse in the ledger below, whose calls also make way for other fibers. */
  static readonly layer = Layer.effectContext(Effect.gen(function*() {
    const ledger = yield* CreditLedger
    const left = yield* Ref.make(0)
    const broke = yield* Ref.make(false)

    const burn = Ref.updateAndGet(left, (calls) => calls - 1).pipe(
      Effect.filterOrElse(
        (calls) => calls !== 0,
        () => Effect.zipRight(Ref.set(broke, true), Effect.die(new Error("The disk is full")))
      )
    )
    const call = <A>(work: Effect.Effect<A>) => Effect.yieldNow().pipe(Effect.zipRight(work), Effect.zipLeft(burn))

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
      LedgerFuse,
      LedgerFuse.of({
        light: (calls) => Effect.zipRight(Ref.set(broke, false), Ref.set(left, calls)),
        putOut: Effect.zipRight(Ref.set(left, 0), Ref.get(broke))
      })
    ))
  }))
}
