import { Schema } from "effect"

const Minutes = Schema.Int.pipe(Schema.greaterThanOrEqualTo(1), Schema.lessThanOrEqualTo(10_080))
const Retries = Schema.Int.pipe(Schema.greaterThanOrEqualTo(0), Schema.lessThanOrEqualTo(20))

const toggle = (enabled: boolean) =>
  Schema.optionalWith(
    Schema.Struct({ enabled: Schema.optionalWith(Schema.Boolean, { default: () => enabled }) }),
    { default: () => ({ enabled }) }
  )

const ownCounter = Schema.optionalWith(
  Schema.Struct({
    enabled: Schema.optionalWith(Schema.Boolean, { default: () => true }),
    max_retries: Schema.optionalWith(Retries, { default: () => 3 }),
    retry_interval_minutes: Schema.optionalWith(Minutes, { default: () => 5 })
  }),
  { default: () => ({ enabled: true, max_retries: 3, retry_interval_minutes: 5 }) }
)

const RetryOn = Schema.Struct({
  busy: toggle(true),
  no_answer: toggle(true),
  failed: toggle(false),
  short_duration: Schema.optionalWith(
    Schema.Struct({
      enabled: Schema.optionalWith(Schema.Boolean, { default: () => false }),
      threshold_seconds: Schema.optionalWith(
        Schema.Int.pipe(Schema.greaterThanOrEqualTo(1), Schema.lessThanOrEqualTo(600)),
        { default: () => 30 }
      )
    }),
    { default: () => ({ enabled: false, threshold_seconds: 30 }) }
  ),
  provider_error: ownCounter,
  internal_error: ownCounter
})

/**
 * When a person is called again (shapes 3.3). Intervals are minutes, 1 to 10,080; in a list, item k is the wait before
 * retry k + 1 and the last one repeats. Provider and internal errors have counters of their own.
 */
export const RetryConfig = Schema.Struct({
  max_retries: Schema.optionalWith(Retries, { default: () => 3 }),
  retry_interval_minutes: Schema.optionalWith(
    Schema.Union(Minutes, Schema.Array(Minutes).pipe(Schema.minItems(1), Schema.maxItems(20))),
    { default: () => 30 }
  ),
  retry_on: Schema.optionalWith(RetryOn, { default: () => Schema.decodeSync(RetryOn)({}) })
})
export type RetryConfig = typeof RetryConfig.Type

/** Retries a person has had so far, by counter (shapes 3.9). */
export const RetryCounters = Schema.Struct({
  main: Schema.Int,
  provider: Schema.Int,
  internal: Schema.Int
})
export type RetryCounters = typeof RetryCounters.Type

/** Nobody has been retried yet. */
export const noRetries: RetryCounters = { main: 0, provider: 0, internal: 0 }

/** Milliseconds before retry number `done + 1` of the main counter. */
export const mainInterval = (policy: RetryConfig, done: number): number => {
  const { retry_interval_minutes: minutes } = policy
  const chosen = typeof minutes === "number" ? minutes : minutes[Math.min(done, minutes.length - 1)] ?? 30
  return chosen * 60_000
}
