import { Duration } from "effect"
import { availableParallelism } from "node:os"

/** Which espeak speaks, and what it may take. */
export interface SpeechEspeakOptions {
  /** The program, by its path or its name on the PATH; `espeak-ng` when absent, and null to do without one. */
  readonly binary?: string | null
  /**
   * How many utterances are spoken at a time; twice the number of cores when absent. Each takes a process of 8 MB, or a
   * thread of about 60: of threads there are never more than cores, nor more than 4. On an idle core one speaks more than
   * 100 times as fast as it is listened to.
   */
  readonly concurrency?: number
  /** How many utterances may wait; 256 when absent. */
  readonly waiting?: number
  /** How long one waits for its turn before it is refused; 10 seconds when absent. */
  readonly patience?: Duration.DurationInput
  /** How long espeak may give no sound, at first and in between, while a reader waits for some; 10 seconds when absent. */
  readonly limit?: Duration.DurationInput
}

/** Options with their defaults, in milliseconds. */
export interface EngineLimits {
  readonly concurrency: number
  readonly waiting: number
  readonly patience: number
  readonly limit: number
}

/** What an engine is held to. All times go by the wall, since espeak does not live in simulated time. */
export const limitsOf = (
  { concurrency = 2 * availableParallelism(), limit = "10 seconds", patience = "10 seconds", waiting = 256 }:
    SpeechEspeakOptions
): EngineLimits => ({
  concurrency: Math.max(1, concurrency),
  waiting,
  patience: Duration.toMillis(patience),
  limit: Duration.toMillis(limit)
})
