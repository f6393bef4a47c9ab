import { Clock, Effect, type Scope } from "effect"

/** How long a look at the event loop takes, and for how long it counts, in milliseconds. */
const interval = 20
const remembered = 5_000

/** How long after the first request the work of starting up may still go on, in milliseconds. */
const settling = 5_000

interface Look {
  readonly at: number
  readonly late: number
}

/** The value that one in a hundred exceeds, among these and so many zeros. */
const percentile99 = (values: ReadonlyArray<number>, zeros: number): number => {
  const index = Math.floor(0.99 * (values.length + zeros - 1)) - zeros
  return values.toSorted((a, b) => a - b)[index] ?? 0
}

/**
 * How late the event loop is with what should have happened by now: the 99th percentile of the last five seconds, in
 * milliseconds. Asking for it begins one look at the loop unless one is under way, so a server that nobody asks does not
 * wake for it; times at which nobody looked count as on time. A single pause, of the garbage collector say, does not
 * count; a loop that is always late does. Starting up makes any loop late and is no load: nothing is looked at in the five
 * seconds after the first request.
 */
export const loopLag: Effect.Effect<Effect.Effect<number>, never, Scope.Scope> = Effect.gen(function*() {
  const clock = yield* Effect.clock
  const scope = yield* Effect.scope
  let looks: ReadonlyArray<Look> = []
  let looking = false
  /** What was known when the last look began. */
  let lag = 0
  let settled: number | null = null

  const look = Effect.gen(function*() {
    const began = yield* Clock.currentTimeMillis
    yield* Effect.sleep(interval)
    const at = yield* Clock.currentTimeMillis
    looks = [...looks, { at, late: Math.max(0, at - began - interval) }]
  }).pipe(
    Effect.ensuring(Effect.sync(() => looking = false)),
    Effect.withClock(clock),
    Effect.forkIn(scope)
  )

  return Effect.suspend(() => {
    if (looking) return Effect.succeed(lag)
    const now = clock.unsafeCurrentTimeMillis()
    settled ??= now + settling
    if (now < settled) return Effect.succeed(0)
    looks = looks.filter(({ at }) => at > now - remembered)
    const seen = looks.reduce((total, { late }) => total + interval + late, 0)
    const zeros = Math.max(0, Math.round((remembered - seen) / interval))
    lag = percentile99(looks.map(({ late }) => late), zeros)
    looking = true
    return Effect.as(look, lag)
  })
})
