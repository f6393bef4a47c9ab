import { describeCause, StoreProbe } from "@trunkline/kernel"
import { Clock, Duration, Effect } from "effect"

/** Names of the checks. */
export const readinessChecks = ["store", "schema", "disk", "draining"] as const

/** Result of one check. */
export interface ReadinessCheck {
  /** `store`: a write; `schema`: the version of the database; `disk`: free space; `draining`: the end of this process. */
  readonly name: typeof readinessChecks[number]
  readonly ok: boolean
  /** Finding in words, without names of machines and files. */
  readonly detail: string
}

/** Result of all checks. */
export interface Readiness {
  /** True if every check succeeded. */
  readonly ready: boolean
  readonly checks: ReadonlyArray<ReadinessCheck>
}

/** Greatest age of the last write, in milliseconds. */
const oldestWrite = 5_000

/** Age from which a question writes again, in milliseconds: many probes share one write. */
const freshWrite = 1_000

/** Time that an answer waits for the stores; a write that takes longer goes on, and counts when it is stored. */
const patience = Duration.seconds(2)

/** Fewest free bytes: room for the log of the database and for the calls that go on. */
const leastFree = 64 * 1024 * 1024

const check = (name: ReadinessCheck["name"], ok: boolean, detail: string): ReadinessCheck => ({ name, ok, detail })

const seconds = (millis: number) => (millis / 1_000).toFixed(1)

const storeCheck = (writtenAt: number | null, now: number) => {
  if (writtenAt === null) return check("store", false, "no write has succeeded yet")
  const age = Math.max(0, now - writtenAt)
  return check("store", age < oldestWrite, `the last write was ${seconds(age)} s ago`)
}

const diskCheck = (free: number | null) =>
  free === null
    ? check("disk", true, "not on a disk of this machine")
    : check("disk", free >= leastFree, `${Math.floor(free / 1_048_576)} MiB free`)

/** Makes the checks of an engine. It asks the stores at most once a second, however often it is asked. */
export const makeReadiness = (isLeaving: () => boolean): Effect.Effect<Effect.Effect<Readiness>> =>
  Effect.gen(function*() {
    const probe = yield* StoreProbe
    const single = yield* Effect.makeSemaphore(1)
    let writtenAt: number | null = null

    const write = Effect.gen(function*() {
      const before = yield* Clock.currentTimeMillis
      if (writtenAt !== null && before - writtenAt < freshWrite) return
      yield* probe.write
      writtenAt = yield* Clock.currentTimeMillis
    }).pipe(single.withPermits(1))

    const schema = Effect.map(
      probe.version,
      ({ storedVersion, ownVersion }) =>
        check("schema", storedVersion === ownVersion, `version ${storedVersion}, where ${ownVersion} is needed`)
    )

    /** The result of a check; a failed one where the stores do not answer. */
    const resultOf = <A>(name: string, ask: Effect.Effect<A>, otherwise: A): Effect.Effect<A> =>
      ask.pipe(
        Effect.catchAllCause((cause) =>
          Effect.as(Effect.logWarning(`The readiness check ${name} failed`, describeCause(cause)), otherwise)
        ),
        Effect.disconnect,
        Effect.timeoutTo({ duration: patience, onSuccess: (outcome) => outcome, onTimeout: () => otherwise })
      )

    return Effect.gen(function*() {
      const [, version, free] = yield* Effect.all([
        resultOf("store", write, undefined),
        resultOf("schema", schema, check("schema", false, "the database does not answer")),
        resultOf("disk", Effect.map(probe.freeBytes, diskCheck), check("disk", false, "the disk does not answer"))
      ], { concurrency: 3 })
      const checks = [
        storeCheck(writtenAt, yield* Clock.currentTimeMillis),
        version,
        free,
        check("draining", !isLeaving(), isLeaving() ? "this process stops" : "no")
      ]
      return { ready: checks.every(({ ok }) => ok), checks }
    })
  })
