import { Duration, Schema } from "effect"
import type { EngineOptions } from "./EngineOptions.js"

const Share = Schema.Number.pipe(Schema.between(0, 1))
const Seconds = Schema.Number.pipe(Schema.positive(), Schema.lessThanOrEqualTo(86_400))
const Count = Schema.Int.pipe(Schema.between(1, 100_000))

/** Limits of calls in a configuration: those of `EngineOptions`, in the names and units of configuration files. */
export const CallLimitSettings = Schema.Struct({
  /** Concurrent calls of each workspace without a limit of its own; absent means as many as its lines have channels. */
  max_concurrent_calls: Schema.optional(Count),
  /** Share of these calls that outbound calls never use, from 0 to 1; 0.1 when absent. */
  inbound_share: Schema.optional(Share),
  /** Dials per phone number and day, over all campaigns of a workspace; unlimited when absent. */
  max_dials_per_number_per_day: Schema.optional(Count),
  /** Longest ringing of a call out, and longest wait for the answer of a call in; 40 when absent. */
  ring_timeout_seconds: Schema.optional(Seconds),
  /** Longest conversation; 3,600 when absent. */
  max_duration_seconds: Schema.optional(Seconds),
  /** Longest time of a conversation in which nothing is said, heard or reported; 120 when absent. */
  idle_timeout_seconds: Schema.optional(Seconds),
  /** Ended calls that a process works on at a time, for agents with `after_call`; 4 when absent. */
  after_call_concurrency: Schema.optional(Schema.Int.pipe(Schema.between(1, 64))),
  /** Circuit breaker that pauses dialling on a line whose dials fail. */
  line_health: Schema.optional(Schema.Struct({
    /** Length of the sliding window; 120 when absent. */
    window_seconds: Schema.optional(Seconds),
    /** Dials that the window must hold before a line can be paused; 20 when absent. */
    least_dials: Schema.optional(Count),
    /** Share of them that must have failed, above 0; 0.5 when absent. */
    failed_share: Schema.optional(Share.pipe(Schema.positive())),
    /** First pause, doubled by each failed probe; 30 when absent. */
    first_pause_seconds: Schema.optional(Seconds),
    /** Longest pause; 600 when absent. */
    longest_pause_seconds: Schema.optional(Seconds)
  }))
})
export type CallLimitSettings = typeof CallLimitSettings.Type

type CallLimits = Pick<
  EngineOptions,
  "afterCalls" | "callTimes" | "inboundShare" | "lineHealth" | "maxConcurrentCalls" | "maxDialsPerNumberPerDay"
>

/** The options of the engine that settings stand for. */
export const callLimitsOf = (settings: CallLimitSettings): CallLimits => {
  const { inbound_share, line_health: health, max_concurrent_calls, max_dials_per_number_per_day } = settings
  const { after_call_concurrency: concurrency } = settings
  const { idle_timeout_seconds: idle, max_duration_seconds: longest, ring_timeout_seconds: ringing } = settings
  return {
    callTimes: {
      ...(ringing !== undefined && { ringTimeout: Duration.seconds(ringing) }),
      ...(longest !== undefined && { maxDuration: Duration.seconds(longest) }),
      ...(idle !== undefined && { idleBudget: Duration.seconds(idle) })
    },
    ...(concurrency !== undefined && { afterCalls: { concurrency } }),
    ...(max_concurrent_calls !== undefined && { maxConcurrentCalls: max_concurrent_calls }),
    ...(inbound_share !== undefined && { inboundShare: inbound_share }),
    ...(max_dials_per_number_per_day !== undefined && { maxDialsPerNumberPerDay: max_dials_per_number_per_day }),
    ...(health !== undefined && {
      lineHealth: {
        ...(health.window_seconds !== undefined && { window: Duration.seconds(health.window_seconds) }),
        ...(health.least_dials !== undefined && { leastDials: health.least_dials }),
        ...(health.failed_share !== undefined && { failedShare: health.failed_share }),
        ...(health.first_pause_seconds !== undefined && { firstPause: Duration.seconds(health.first_pause_seconds) }),
        ...(health.longest_pause_seconds !== undefined && {
          maxPause: Duration.seconds(health.longest_pause_seconds)
        })
      }
    })
  }
}
