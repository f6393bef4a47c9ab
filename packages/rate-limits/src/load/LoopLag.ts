import { Clock, Deferred, Effect, Ref, type Scope } from "effect"

/** How often the event loop is asked, and for how long its answers count, in milliseconds. */
const interval = 20
const remembered = 5_000

/** How long after the first look the work of starting up may still go on, in milliseconds. */
const settling = 5_000

interface Answer {
  readonly at: number
  readonly late: number
}

/** The value that one in a hundred exceeds. */
const percentile99 = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(0.99 * (values.length - 1))] ?? 0

/**
 * How late the event loop is with what should have happened by now: the 99th percentile of the last five seconds, in
 * milliseconds. A single pause, of the garbage collector say, does not count; a loop that is always late does.
 *
 * Starting up makes any loop late and is no load. So nothing is measured before the first look, which a request causes, nor
 * in the five seconds after it; and it is 0 until there are five seconds of answers.
 */
export const loopLag: Effect.Effect<Effect.Effect<number>, never, Scope.Scope> = Effect.gen(function*() {
  const looked = yield* Deferred.make<void>()
  const answers = yield* Ref.make<ReadonlyArray<Answer>>([])
  const enough = yield* Ref.make(false)
  const ask = (since: number) =>
    Effect.gen(function*() {
      const asked = yield* Clock.currentTimeMillis
      yield* Effect.sleep(interval)
      const at = yield* Clock.currentTimeMillis
      yield* Ref.update(answers, (known) => [
        ...known.filter((answer) => answer.at > at - remembered),
        { at, late: Math.max(0, at - asked - interval) }
      ])
      yield* Ref.set(enough, at - since >= remembered)
    })
  const measure = Effect.gen(function*() {
    yield* Deferred.await(looked)
    yield* Effect.sleep(settling)
    return yield* Effect.forever(ask(yield* Clock.currentTimeMillis))
  })
  yield* Effect.forkScoped(measure)
  return Effect.gen(function*() {
    yield* Deferred.succeed(looked, undefined)
    return (yield* Ref.get(enough)) ? percentile99((yield* Ref.get(answers)).map(({ late }) => late)) : 0
  })
})
