import { Recordings } from "@trunkline/analytics"
import {
  AttemptId,
  makeCounter,
  RetainedData,
  type RetainedKind,
  retainedKinds,
  type Scope,
  Transactions,
  unchecked
} from "@trunkline/kernel"
import { CallTraces } from "@trunkline/replay/trace"
import { AttemptStore } from "@trunkline/telephony"
import { Context, Effect, Layer, Schema } from "effect"

const Days = Schema.optionalWith(Schema.Number.pipe(Schema.between(0, 36_500)), { exact: true })

/** Days that a workspace keeps each kind of data; those that are absent are kept for ever. */
export const RetentionDays = Schema.Struct({
  /** Recordings of calls. */
  recordings: Days,
  /** Transcripts of calls, and their traces. */
  transcripts: Days,
  /** Records and facts of calls, with what is left of their recordings and transcripts. */
  calls: Days,
  /** Webhooks that were delivered or given up. */
  webhooks: Days,
  /** Cohorts of campaigns that have ended or were cancelled, with their files. */
  cohorts: Days,
  /** Attempts that have ended. */
  attempts: Days
})
export type RetentionDays = typeof RetentionDays.Type

/** Rows of each kind that were deleted, or would be; kinds without a number of days are absent. */
export type RetentionCounts = Partial<Readonly<Record<RetainedKind, number>>>

/** Deletes old data of workspaces. */
export class Retention extends Context.Tag("@trunkline/engine/Retention")<Retention, {
  /** Counts what is older than its days at a time in epoch milliseconds. */
  readonly count: (scope: Scope, days: RetentionDays, now: number) => Effect.Effect<RetentionCounts>
  /**
   * Deletes it in small transactions, with pauses between them, so that others go on. What is still open stays: calls that go
   * on, webhooks that are due, cohorts that are imported or whose campaign may still call.
   */
  readonly run: (scope: Scope, days: RetentionDays, now: number) => Effect.Effect<RetentionCounts>
}>() {
  static readonly layer = Layer.effect(
    Retention,
    Effect.gen(function*() {
      const data = yield* RetainedData
      const recordings = yield* Recordings
      const traces = yield* CallTraces
      const attempts = yield* AttemptStore
      const transactions = yield* Transactions

      const each = (
        days: RetentionDays,
        now: number,
        work: (kind: RetainedKind, before: number) => Effect.Effect<number>
      ) =>
        Effect.gen(function*() {
          const counts: Partial<Record<RetainedKind, number>> = {}
          for (const kind of retainedKinds) {
            const age = days[kind]
            if (age !== undefined) counts[kind] = yield* work(kind, now - age * dayMillis)
          }
          return counts
        })

      /** Deletes one batch; returns its size. Files go first, since their names are found by the rows. */
      const batch = (scope: Scope, kind: RetainedKind, before: number) =>
        Effect.gen(function*() {
          const rows = yield* data.find(scope, kind, { before, limit: batchSize })
          if (rows.length === 0) return 0
          if (kind === "recordings" || kind === "calls") {
            for (const { interaction_id } of rows) {
              if (interaction_id !== null) yield* recordings.remove(scope, interaction_id)
            }
          }
          // A trace has the words of its call.
          if (kind === "transcripts" || kind === "calls" || kind === "attempts") {
            yield* Effect.forEach(rows, ({ id }) => traces.remove(scope, AttemptId.make(id, unchecked)), {
              discard: true
            })
          }
          yield* transactions.run(
            Effect.flatMap(data.remove(scope, kind, rows), (ids) => attempts.eraseTranscripts(ids))
          )
          deletedCounter.add(rows.length, { kind })
          return rows.length
        })

      const removeAll = (scope: Scope, kind: RetainedKind, before: number) =>
        Effect.gen(function*() {
          let total = 0
          for (;;) {
            const size = yield* batch(scope, kind, before)
            total += size
            if (size < batchSize) return total
            yield* Effect.sleep(pause)
          }
        })

      return Retention.of({
        count: (scope, days, now) => each(days, now, (kind, before) => data.count(scope, kind, before)),
        run: Effect.fn("Retention.run")((scope: Scope, days: RetentionDays, now: number) =>
          each(days, now, (kind, before) => removeAll(scope, kind, before))
        )
      })
    })
  )
}

const dayMillis = 86_400_000

/** Rows of one transaction. */
const batchSize = 200

/** Real time between transactions. */
const pause = "20 millis"

const deletedCounter = makeCounter({
  name: "trunkline_retention_deleted_total",
  help: "Rows that retention has deleted",
  labels: { kind: retainedKinds }
})
