import { DateTime, Duration } from "effect"

/** When an endpoint is left alone, and for how long (design: reliability 3.2; the figures are ours). */
export const breaker = {
  /** So many failed tries in a row open the breaker. */
  failures: 5,
  /** The first pause; every one that follows is twice as long. */
  firstPause: Duration.seconds(30),
  longestPause: Duration.minutes(10),
  /**
   * A webhook that has been due for so long while its endpoint kept failing is given up: a little more than the whole
   * schedule with its jitter takes (91 h), so that an outage uses up no webhook faster than the schedule does.
   */
  patience: Duration.days(4)
}

/** How the receiver at one endpoint has been doing. Times are real milliseconds since 1970. */
export interface EndpointHealth {
  /** Tries that failed in a row. */
  readonly failures: number
  /** When the latest try failed; null once one has succeeded. */
  readonly failed_at: number | null
  /** Pauses in a row: 0 while webhooks are tried as they come due, more while one is tried at a time. */
  readonly pauses: number
  /** Nothing is tried before; 0 without a pause. */
  readonly paused_until: number
  /** When the one try after a pause began; null when none has. */
  readonly probe_at: number | null
  /** When the receiver answered that it wants no more webhooks; null while it gets them. */
  readonly disabled_at: number | null
}

/** How an endpoint is of which nothing bad is known. */
export const healthy: EndpointHealth = {
  failures: 0,
  failed_at: null,
  pauses: 0,
  paused_until: 0,
  probe_at: null,
  disabled_at: null
}

/** What a try tells of its endpoint: it works, it does not, or it wants no more. */
export type EndpointSign = "works" | "fails" | "gone"

const pauseAfter = (pauses: number): number =>
  Math.min(
    Duration.toMillis(breaker.firstPause) * 2 ** (pauses - 1),
    Duration.toMillis(breaker.longestPause)
  )

/**
 * How an endpoint is after a try that began at `started_at` and ended at `now`.
 *
 * A success ends every pause. Five failures in a row begin the first one, 30 s long; after a pause one webhook is
 * tried, and when that fails the next pause is twice as long, up to 10 minutes. Failures of tries that had begun before
 * the pause lengthen nothing. An endpoint that is disabled stays so.
 */
export const afterTry = (
  health: EndpointHealth,
  { now, sign, started_at }: { readonly sign: EndpointSign; readonly started_at: number | null; readonly now: number }
): EndpointHealth => {
  const { disabled_at } = health
  if (sign === "gone") return { ...healthy, disabled_at: disabled_at ?? now }
  if (sign === "works") return { ...healthy, disabled_at }
  const failed = { ...health, failures: health.failures + 1, failed_at: now }
  const opens = health.pauses === 0 ? failed.failures >= breaker.failures : health.probe_at === started_at
  if (!opens) return failed
  const pauses = health.pauses + 1
  return { ...failed, pauses, paused_until: now + pauseAfter(pauses), probe_at: null }
}

/** How an endpoint is once the one try after a pause has been claimed: the next has to wait until its lease ends. */
export const probing = (health: EndpointHealth, now: number, leaseMillis: number): EndpointHealth => ({
  ...health,
  paused_until: now + leaseMillis,
  probe_at: now
})

/** Whether one webhook at a time is tried. */
export const isPaused = ({ pauses }: EndpointHealth): boolean => pauses > 0

/** Webhooks that were due before this are given up; null when none is. */
export const overdueBefore = ({ failed_at, pauses }: EndpointHealth): number | null =>
  pauses > 0 && failed_at !== null ? failed_at - Duration.toMillis(breaker.patience) : null

/** Why the webhooks of a disabled endpoint are dead. */
export const disabledError = "The receiver answered HTTP 410: it is disabled, and gets no more webhooks until its "
  + "webhook_config is written again or webhooks are sent again"

/** Why a webhook that waited for a failing endpoint is dead. */
export const overdueError = `The receiver failed for ${Duration.toDays(breaker.patience)} days`

/** Why a webhook waits though it is due; null when its endpoint is not paused. */
export const pauseError = ({ failures, paused_until, pauses }: EndpointHealth): string | null =>
  pauses === 0
    ? null
    : `The receiver failed ${failures} times in a row: from ${
      DateTime.formatIso(DateTime.unsafeMake(paused_until))
    } on, one webhook at a time is tried`
