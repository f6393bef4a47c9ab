import { Context, Deferred, Effect, FiberSet, Layer } from "effect"

/** The calls that are going on: every one has an owner, and shutting down waits for them. */
export class LiveCalls extends Context.Tag("@trunkline/telephony/LiveCalls")<LiveCalls, {
  /** Carries a call out in the background. After `close` nothing is started any more: false. */
  readonly start: (call: Effect.Effect<void>) => Effect.Effect<boolean>
  /** How many there are. */
  readonly count: Effect.Effect<number>
  /** Starts nothing new, and completes when the last call is over. */
  readonly close: Effect.Effect<void>
}>() {
  static readonly layer = Layer.scoped(
    LiveCalls,
    Effect.gen(function*() {
      const calls = yield* FiberSet.make<void>()
      const closed = yield* Deferred.make<void>()
      return LiveCalls.of({
        start: (call) =>
          Effect.flatMap(
            Deferred.isDone(closed),
            (done) => done ? Effect.succeed(false) : Effect.as(FiberSet.run(calls, Effect.interruptible(call)), true)
          ),
        count: FiberSet.size(calls),
        close: Effect.zipRight(Deferred.succeed(closed, undefined), FiberSet.awaitEmpty(calls))
      })
    })
  )
}
