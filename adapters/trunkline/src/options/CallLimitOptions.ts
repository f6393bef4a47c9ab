/** Limits of calls, in the names of configuration files. Each refusal of a call names the limit that it met. */
export interface CallLimitOptions {
  /**
   * Concurrent calls of each workspace that has no `max_concurrent_calls` of its own, from 1 to 100,000. By default as many as
   * its lines have channels (`max_channels`) together, and unlimited where a line has no limit.
   */
  readonly max_concurrent_calls?: number
  /** Share of these calls that outbound calls never use, from 0 to 1; 0.1 by default. One is always left for them. */
  readonly inbound_share?: number
  /** Dials per phone number and day, over all campaigns of a workspace, in the campaign's zone; unlimited by default. */
  readonly max_dials_per_number_per_day?: number
  /** Longest ringing of a call out, and longest wait for the answer of a call in; 40 by default. */
  readonly ring_timeout_seconds?: number
  /** Longest conversation; 3,600 by default. */
  readonly max_duration_seconds?: number
  /** Longest time of a conversation in which nothing is said, heard or reported; 120 by default. */
  readonly idle_timeout_seconds?: number
  /** Circuit breaker that pauses dialling on a line whose dials fail. */
  readonly line_health?: {
    /** Length of the sliding window; 120 by default. */
    readonly window_seconds?: number
    /** Dials that the window must hold before a line can be paused; 20 by default. */
    readonly least_dials?: number
    /** Share of them that must have failed, above 0 and up to 1; 0.5 by default. */
    readonly failed_share?: number
    /** First pause, doubled by each failed probe; 30 by default. */
    readonly first_pause_seconds?: number
    /** Longest pause; 600 by default. */
    readonly longest_pause_seconds?: number
  }
}
