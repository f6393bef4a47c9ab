import { AfterCallJobs } from "@trunkline/after-call"
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

const afterCallJobs = makeGauge({
  name: "trunkline_after_call_jobs",
  help: "Ended calls whose summary and variables are not found out yet"
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
const readings = ["calls", "campaigns", "outbox", "after_calls", "processes", "log", "disk"] as const

const failures = makeCounter({
  name: "trunkline_reading_failures_total",
  help: "Readings of a state for /metrics that failed or took more than two seconds",
  labels: { reading: readings }
})

/** Time that a reading may take. */
const patience = Duration.seconds(2)

/** Seconds since a moment, from 0 on also where a clock was set back. */
const secondsSince = (moment: number | null, now: number): number =>
  moment === null ? 0 : Math.max(0, now - moment) / 1_000

/** A state to be read: its gauges, and their values in order; null for one that does not exist here. */
interface Reading {
  readonly name: typeof readings[number]
  readonly gauges: ReadonlyArray<typeof calls>
  readonly read: Effect.Effect<ReadonlyArray<number | null>>
}

/** Reads a state into its gauges. A reading that fails is counted, and its gauges are not a number. */
const take = ({ gauges, name, read }: Reading): Effect.Effect<void> => {
  const set = (values: ReadonlyArray<number | null>): void =>
    gauges.forEach((gauge, index) => {
      const value = values[index] ?? null
      if (value !== null) gauge.set(value)
    })
  const fail = Effect.sync(() => {
    failures.add(1, { reading: name })
    set(gauges.map(() => NaN))
  })
  return Effect.map(read, set).pipe(
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
  const jobs = yield* AfterCallJobs
  const probe = yield* StoreProbe
  const { count } = yield* Processes
  const time = yield* BusinessTime
  const oldest = Effect.provideService(yield* makeOldestDue, BusinessTime, time)
  const alone = (name: Reading["name"], gauge: typeof calls, read: Effect.Effect<number | null>): Reading => ({
    name,
    gauges: [gauge],
    read: Effect.map(read, (value) => [value])
  })
  const readings: ReadonlyArray<Reading> = [
    alone("calls", calls, live.count),
    alone("campaigns", oldestDue, Effect.map(oldest, (millis) => millis / 1_000)),
    {
      name: "outbox",
      gauges: [outboxDepth, outboxAge],
      read: Effect.zipWith(
        outbox.backlog,
        Clock.currentTimeMillis,
        ({ dueSince, pending }, now) => [pending, secondsSince(dueSince, now)]
      )
    },
    alone("after_calls", afterCallJobs, jobs.count),
    alone("processes", processes, count),
    alone("log", logBytes, probe.logBytes),
    alone("disk", freeBytes, probe.freeBytes)
  ]
  return Effect.forEach(readings, take, { concurrency: "unbounded", discard: true })
})
