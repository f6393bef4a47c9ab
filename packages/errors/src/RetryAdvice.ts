import { Option } from "effect"

/** What a caller should do after a failure of a given code (specification, Errors: retry guidance). */
export interface RetryAdvice {
  /** Where sending the same request again can help: nowhere, on voice routes only, or everywhere. */
  readonly retry: "never" | "on_voices" | "always"
  /** Seconds before the first retry; it doubles each time, up to `capSeconds`. */
  readonly startSeconds: number
  /** The longest wait between two tries, in seconds. */
  readonly capSeconds: number
}

/** Advice for failures that the same request would meet again. */
export const neverRetry: RetryAdvice = { retry: "never", startSeconds: 0, capSeconds: 0 }

/** Advice for failures that pass: wait 1 second, then double up to a minute. */
export const retryWithBackoff: RetryAdvice = { retry: "always", startSeconds: 1, capSeconds: 60 }

/** Advice for 502 and 504, which are worth another try on voice routes only. */
export const retryOnVoices: RetryAdvice = { ...retryWithBackoff, retry: "on_voices" }

/**
 * Seconds to wait before the given retry (1 is the first): 1, 2, 4 and so on up to the cap; none when the advice
 * is not to retry. A server's `Retry-After` goes first, and workers that share a key should add jitter.
 */
export const retryDelay = (advice: RetryAdvice, tryNumber: number): Option.Option<number> =>
  advice.retry === "never"
    ? Option.none()
    : Option.some(Math.min(advice.capSeconds, advice.startSeconds * 2 ** (Math.max(1, tryNumber) - 1)))
