import { Schema } from "effect"

const Minutes = Schema.Int.pipe(Schema.greaterThanOrEqualTo(1), Schema.lessThanOrEqualTo(10_080))
const Retries = Schema.Int.pipe(Schema.greaterThanOrEqualTo(0), Schema.lessThanOrEqualTo(20))

const toggle = (isEnabled: boolean) =>
  Schema.optionalWith(
    Schema.Struct({ enabled: Schema.optionalWith(Schema.Boolean, { default: () => isEnabled }) }),
    { default: () => ({ enabled: isEnabled }) }
  )

const ownBudget = Schema.optionalWith(
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
  /** Something other than a person answered, and the agent did not go on. */
  machine: toggle(false),
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
  provider_error: ownBudget,
  internal_error: ownBudget
})

/**
 * Retry policy of a campaign. Intervals are minutes, 1 to 10,080; item k of a list is the wait before retry k + 1, and
 * the last item repeats. Provider and internal errors have their own counters, limits and intervals.
 */
export const RetryConfig = Schema.Struct({
  /** Highest number of retries of a contact; 3 by default. */
  max_retries: Schema.optionalWith(Retries, { default: () => 3 }),
  /** Minutes before each retry: one number for all, or one for each; 30 by default. */
  retry_interval_minutes: Schema.optionalWith(
    Schema.Union(Minutes, Schema.Array(Minutes).pipe(Schema.minItems(1), Schema.maxItems(20))),
    { default: () => 30 }
  ),
  /** Outcomes that are retried. */
  retry_on: Schema.optionalWith(RetryOn, { default: () => Schema.decodeSync(RetryOn)({}) })
})
export type RetryConfig = typeof RetryConfig.Type

/** Limit of a retry counter, and the wait before its retries, in minutes. */
interface RetryBudget {
  readonly max_retries: number
  readonly retry_interval_minutes: number | ReadonlyArray<number>
}

/**
 * The retry counters, with the budget that a policy gives to each. Stores keep counters by name, so that a new one needs
 * an entry here and no migration.
 */
export const retryBudgets = {
  main: (policy: RetryConfig): RetryBudget => policy,
  provider: (policy: RetryConfig): RetryBudget => policy.retry_on.provider_error,
  internal: (policy: RetryConfig): RetryBudget => policy.retry_on.internal_error
}

/** Name of a retry counter. */
export type RetryCounter = keyof typeof retryBudgets

/** Retries of a contact so far, by counter. */
export type RetryCounters = Readonly<Record<RetryCounter, number>> & {
  /** Messages that were left on a machine of the contact; absent before the first one. */
  readonly messages?: number
  /** Conversations of the contact that a canary has counted; absent before the first one. */
  readonly measured?: number
}

/** The counters of a contact without retries. */
export const noRetries: RetryCounters = { main: 0, provider: 0, internal: 0 }

/** Milliseconds before retry number `retries + 1` of a budget. */
export const retryDelay = ({ retry_interval_minutes: minutes }: RetryBudget, retries: number): number =>
  (typeof minutes === "number" ? minutes : minutes[retries] ?? minutes.at(-1) ?? 30) * 60_000
