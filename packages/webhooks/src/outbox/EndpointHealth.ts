import { DateTime, Duration } from "effect"

/** Settings of the circuit breaker of each endpoint. */
export const breaker = {
  /** Consecutive failed tries that open the breaker. */
  failures: 5,
  /** First pause; each further one is twice as long. */
  firstPause: Duration.seconds(30),
  maxPause: Duration.minutes(10),
  /**
   * Time after which an overdue webhook of a failing endpoint is given up: slightly more than the whole schedule with
   * jitter (91 hours), so that an outage never ends a webhook sooner than the schedule does.
   */
  maxOverdue: Duration.days(4)
}

/** Health of an endpoint. Times are real milliseconds since 1970. */
export interface EndpointHealth {
  /** Consecutive failed tries. */
  readonly failures: number
  /** Time of the latest failure; null after a success. */
  readonly failed_at: number | null
  /** Consecutive pauses: 0 while the breaker is closed; above 0, one webhook at a time is tried. */
  readonly pauses: number
  /** End of the pause; 0 without one. */
  readonly paused_until: number
  /** Start of the probe after the pause; null if there was none. */
  readonly probe_at: number | null
  /** Time at which the receiver declined all webhooks by HTTP 410; null while enabled. */
  readonly disabled_at: number | null
}

/** Health of an endpoint without failures. */
export const healthy: EndpointHealth = {
  failures: 0,
  failed_at: null,
  pauses: 0,
  paused_until: 0,
  probe_at: null,
  disabled_at: null
}

/** Signal of a try about its endpoint; `gone` means that the receiver declined all webhooks. */
export type EndpointSignal = "works" | "fails" | "gone"

const pauseAfter = (pauses: number): number =>
  Math.min(
    Duration.toMillis(breaker.firstPause) * 2 ** (pauses - 1),
    Duration.toMillis(breaker.maxPause)
  )

/**
 * Health of an endpoint after a try that began at `started_at` and ended at `now`.
 *
 * A success closes the breaker. Five consecutive failures open it for 30 seconds; then one webhook is tried as a probe,
 * and if that fails the next pause is twice as long, up to 10 minutes. Failures of tries that began before the pause do
 * not extend it. A disabled endpoint stays disabled.
 */
export const afterTry = (
  health: EndpointHealth,
  { now, sign, started_at }: { readonly sign: EndpointSignal; readonly started_at: number | null; readonly now: number }
): EndpointHealth => {
  const { disabled_at } = health
  if (sign === "gone") return { ...healthy, disabled_at: disabled_at ?? now }
  if (sign === "works") return { ...healthy, disabled_at }
  const next = { ...health, failures: health.failures + 1, failed_at: now }
  const opens = health.pauses === 0 ? next.failures >= breaker.failures : health.probe_at === started_at
  if (!opens) return next
  const pauses = health.pauses + 1
  return { ...next, pauses, paused_until: now + pauseAfter(pauses), probe_at: null }
}

/** Health of an endpoint after claiming a probe: the next one waits until its lease ends. */
export const startProbe = (health: EndpointHealth, now: number, leaseMillis: number): EndpointHealth => ({
  ...health,
  paused_until: now + leaseMillis,
  probe_at: now
})

/** True while only one webhook at a time is tried. */
export const isPaused = ({ pauses }: EndpointHealth): boolean => pauses > 0

/** Time before which due webhooks are given up; null if none are. */
export const overdueBefore = ({ failed_at, pauses }: EndpointHealth): number | null =>
  pauses > 0 && failed_at !== null ? failed_at - Duration.toMillis(breaker.maxOverdue) : null

/** Error of the webhooks of a disabled endpoint. */
export const disabledError = "The receiver answered HTTP 410: it is disabled, and gets no more webhooks until its "
  + "webhook_config is written again or webhooks are sent again"

/** Error of a webhook that was overdue for too long. */
export const overdueError = `The receiver failed for ${Duration.toDays(breaker.maxOverdue)} days`

/** Error of a pending webhook whose endpoint is paused; null if it is not. */
export const pauseError = ({ failures, paused_until, pauses }: EndpointHealth): string | null =>
  pauses === 0
    ? null
    : `The receiver failed ${failures} times in a row: from ${
      DateTime.formatIso(DateTime.unsafeMake(paused_until))
    } on, one webhook at a time is tried`
