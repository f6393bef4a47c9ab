import { Clock, Effect, Ref, type Scope } from "effect"

/** How often the event loop is asked, and for how long its answers count, in milliseconds. */
const interval = 20
const remembered = 5_000

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
 */
export const loopLag: Effect.Effect<Effect.Effect<number>, never, Scope.Scope> = Effect.gen(function*() {
  const answers = yield* Ref.make<ReadonlyArray<Answer>>([])
  const ask = Effect.gen(function*() {
    const asked = yield* Clock.currentTimeMillis
    yield* Effect.sleep(interval)
    const at = yield* Clock.currentTimeMillis
    yield* Ref.update(answers, (known) => [
      ...known.filter((answer) => answer.at > at - remembered),
      { at, late: Math.max(0, at - asked - interval) }
    ])
  })
  yield* Effect.forkScoped(Effect.forever(ask))
  return Effect.map(Ref.get(answers), (known) => percentile99(known.map(({ late }) => late)))
})
