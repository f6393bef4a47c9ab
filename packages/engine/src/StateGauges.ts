import { makeOldestDue } from "@trunkline/campaigns"
import { BusinessTime, describeCause, makeCounter, makeGauge, Processes, StoreProbe } from "@trunkline/kernel"
import { LiveCalls } from "@trunkline/telephony"
import { Outbox } from "@trunkline/webhooks"
import { Clock, Duration, Effect } from "effect"

const calls = makeGauge({ name: "trunkline_calls", help: "Calls that this process carries" })

const oldestDue = makeGauge({
  name: "trunkline_oldest_due_attempt_seconds",
  help: "Wait of the oldest due contact whose campaign may dial, in business time"
})

const outboxDepth = makeGauge({
  name: "trunkline_outbox_webhooks",
  help: "Webhooks that are not delivered yet; those beyond 100,000 are not counted"
})

const outboxAge = makeGauge({
  name: "trunkline_outbox_age_seconds",
  help: "Time for which the oldest due webhook has waited for its try"
})

const processes = makeGauge({
  name: "trunkline_processes",
  help: "Processes that share the stores and whose leases have not run out"
})

const logBytes = makeGauge({
  name: "trunkline_database_log_bytes",
  help: "Size of the write-ahead log of the SQLite database"
})

const freeBytes = makeGauge({ name: "trunkline_disk_free_bytes", help: "Free space on the disk of the data folder" })

/** Names of the readings. */
const readings = ["calls", "campaigns", "outbox", "processes", "log", "disk"] as const

const failures = makeCounter({
  name: "trunkline_reading_failures_total",
  help: "Readings of a state for /metrics that failed or took more than two seconds",
  labels: { reading: readings }
})

/** Time that a reading may take. */
const patience = Duration.seconds(2)

/** Time for which readings are shared, so that it costs little to ask often. */
const freshness = Duration.seconds(1)

/** Ages are counted from 0, also where a clock was set back. */
const secondsSince = (moment: number | null, now: number): number =>
  moment === null ? 0 : Math.max(0, now - moment) / 1_000

/** Sets gauges by what an effect reads; a reading that fails is counted, and its gauges are not a number. */
const readInto = <A>(name: typeof readings[number], read: Effect.Effect<A>, set: (found: A | null) => void) => {
  const fail = Effect.sync(() => {
    failures.add(1, { reading: name })
    set(null)
  })
  return read.pipe(
    Effect.map(set),
    Effect.catchAllCause((cause) =>
      Effect.zipRight(Effect.logWarning(`The metrics of ${name} could not be read`, describeCause(cause)), fail)
    ),
    Effect.disconnect,
    Effect.timeoutTo({ duration: patience, onSuccess: Effect.succeed, onTimeout: () => fail }),
    Effect.flatten
  )
}

/** Makes an effect that reads what is a state rather than an event into gauges: calls, backlogs, and the stores. */
export const makeMeasure = Effect.gen(function*() {
  const live = yield* LiveCalls
  const outbox = yield* Outbox
  const probe = yield* StoreProbe
  const { living } = yield* Processes
  const time = yield* BusinessTime
  const oldest = Effect.provideService(yield* makeOldestDue, BusinessTime, time)
  const backlog = Effect.zip(outbox.backlog, Clock.currentTimeMillis)

  return yield* Effect.cachedWithTTL(
    Effect.all([
      readInto("calls", live.count, (count) => calls.set(count ?? NaN)),
      readInto("campaigns", oldest, (wait) => oldestDue.set((wait ?? NaN) / 1_000)),
      readInto("outbox", backlog, (found) => {
        outboxDepth.set(found === null ? NaN : found[0].pending)
        outboxAge.set(found === null ? NaN : secondsSince(found[0].dueSince, found[1]))
      }),
      readInto("processes", living, (count) => processes.set(count ?? NaN)),
      readInto("log", probe.logBytes, (bytes) => logBytes.set(bytes ?? NaN)),
      readInto("disk", probe.freeBytes, (bytes) => freeBytes.set(bytes ?? NaN))
    ], { concurrency: "unbounded", discard: true }),
    freshness
  )
})
