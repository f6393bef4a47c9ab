import type { BillingUnavailable, InsufficientCredits } from "@trunkline/errors"
import { Effect } from "effect"
import type { Completion, Usage } from "../Completion.js"
import type { TokenCounterService } from "../tokens/TokenCounter.js"

/** The most that a request may use. */
export interface TokenReservation {
  readonly inputTokens: number
  readonly outputTokens: number
}

/**
 * Pays for one request: sets aside what it may use before the model is asked, and takes what it did use, once. A request
 * that failed is released and costs nothing, but for one whose answer was shown whole and has not the form that was asked
 * for; one whose client left pays for its input and for what was written until then.
 */
export interface Meter {
  readonly reserve: (most: TokenReservation) => Effect.Effect<void, InsufficientCredits | BillingUnavailable>
  readonly settle: (used: Usage) => Effect.Effect<void, BillingUnavailable>
  readonly release: Effect.Effect<void>
}

/** Takes nothing. */
export const freeOfCharge: Meter = {
  reserve: () => Effect.void,
  settle: () => Effect.void,
  release: Effect.void
}

/** How one request is paid for in the end: the first word holds, and nobody who leaves interrupts it. */
export interface Payment {
  /** Takes what was used; gives back what was set aside where that cannot be recorded. */
  readonly pay: (used: Usage) => Effect.Effect<void, BillingUnavailable>
  readonly release: Effect.Effect<void>
}

/** The payment by a meter. */
export const makePayment = (meter: Meter): Payment => {
  let isOver = false
  const once = <E>(work: Effect.Effect<void, E>) =>
    Effect.uninterruptible(Effect.suspend(() => {
      if (isOver) return Effect.void
      isOver = true
      return work
    }))
  return {
    pay: (used) => once(Effect.onError(meter.settle(used), () => meter.release)),
    release: once(meter.release)
  }
}

const written = ({ refusal, text, toolRequests }: Completion): string =>
  [text, refusal ?? "", ...toolRequests.flatMap(({ arguments: text, name }) => [name, text])].join("")

/** More tokens than any answer has: a model that tells of more cannot count. */
const implausibleTokens = 1_000_000_000

const isSane = (usage: Usage): boolean =>
  Object.values(usage).every((count: number) => Number.isSafeInteger(count) && count >= 0 && count < implausibleTokens)

/** What an answer took: what its model says, or else what can be counted. */
export const usageOf = (
  counter: TokenCounterService,
  completion: Completion,
  inputTokens: Effect.Effect<number>
): Effect.Effect<Usage> =>
  completion.usage !== null && isSane(completion.usage)
    ? Effect.succeed(completion.usage)
    : Effect.gen(function*() {
      const reasoningTokens = yield* counter.count(completion.reasoning)
      const outputTokens = reasoningTokens + (yield* counter.count(written(completion)))
      return { inputTokens: yield* inputTokens, cachedTokens: 0, outputTokens, reasoningTokens }
    })

/** What several answers to one request took: the input once, the output of all. */
export const sumUsage = ([first, ...others]: readonly [Usage, ...ReadonlyArray<Usage>]): Usage =>
  others.reduce((sum, usage) => ({
    ...sum,
    outputTokens: sum.outputTokens + usage.outputTokens,
    reasoningTokens: sum.reasoningTokens + usage.reasoningTokens
  }), first)
