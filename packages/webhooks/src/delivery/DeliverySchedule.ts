import { Duration, Option } from "effect"

/** Waits between tries, the first of them after the first try (decisions 9, Standard Webhooks). */
const waits = [
  Duration.seconds(5),
  Duration.minutes(5),
  Duration.minutes(30),
  Duration.hours(2),
  Duration.hours(5),
  Duration.hours(10),
  Duration.hours(14),
  Duration.hours(20),
  Duration.hours(24)
].map(Duration.toMillis)

/** How often one webhook is tried at most: at once, and after each wait. */
export const maxTries = waits.length + 1

const jitter = 0.2

/** A receiver may ask for a later retry, but no later than the schedule's own longest wait. */
const maxRetryAfter = Math.max(...waits)

/** What becomes of a webhook after a try; `gone` is dead because the receiver wants no more of them. */
export type Verdict =
  | { readonly next: "delivered"; readonly status: number }
  | { readonly next: "retry"; readonly at: number }
  | { readonly next: "dead" }
  | { readonly next: "gone" }

/**
 * The wait after try number `tries` (1 for the first) in milliseconds, or none when that was the last.
 *
 * `random`, in [0, 1), adds up to a fifth, so that many webhooks that failed together do not return together;
 * a wait is never shorter than the schedule says.
 */
export const waitAfter = (tries: number, random: number): Option.Option<number> =>
  Option.map(Option.fromNullable(waits[tries - 1]), (wait) => Math.round(wait * (1 + jitter * random)))

const httpDate = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** What a `Retry-After` header asks to wait, in milliseconds: whole seconds or an HTTP date; 0 when it is neither. */
const askedWait = (header: string, now: number): number => {
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  return httpDate.test(text) ? (Date.parse(text) || now) - now : 0
}

/**
 * What follows from the result of a try (decisions 9): 2xx is delivered, 410 is the end at once, anything else,
 * redirects and no answer included, is retried on the schedule, or later when the receiver says so in
 * `Retry-After` (at most 24 h), until the last try.
 */
export const verdict = (result: {
  /** The tries so far, this one included. */
  readonly tries: number
  /** The status answered; null when no answer came. */
  readonly status: number | null
  /** The answer's `Retry-After`. */
  readonly retryAfter: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
  /** In [0, 1). */
  readonly random: number
}): Verdict => {
  const { now, status } = result
  if (status !== null && status >= 200 && status < 300) return { next: "delivered", status }
  if (status === 410) return { next: "gone" }
  return Option.match(waitAfter(result.tries, result.random), {
    onNone: (): Verdict => ({ next: "dead" }),
    onSome: (wait) => {
      const asked = Math.min(askedWait(result.retryAfter ?? "", now), maxRetryAfter)
      return { next: "retry", at: now + Math.max(wait, asked) }
    }
  })
}
