import type { BillingUnavailable, InsufficientCredits } from "@trunkline/errors"
import { Effect } from "effect"
import type { Completion, Usage } from "../Completion.js"
import type { TokenCounterService } from "../tokens/TokenCounter.js"

/** Upper bound of the usage of a request. */
export interface TokenReservation {
  readonly inputTokens: number
  readonly outputTokens: number
}

/**
 * Pays for one request: reserves the most it may use before the model is called, and settles its usage once. A failed
 * request is released and costs nothing, unless its answer was streamed whole and has the wrong format. An abandoned
 * request pays for its input and for what was written until then.
 */
export interface Meter {
  readonly reserve: (max: TokenReservation) => Effect.Effect<void, InsufficientCredits | BillingUnavailable>
  readonly settle: (usage: Usage) => Effect.Effect<void, BillingUnavailable>
  readonly release: Effect.Effect<void>
}

/** A meter that charges nothing. */
export const freeMeter: Meter = {
  reserve: () => Effect.void,
  settle: () => Effect.void,
  release: Effect.void
}

/** Settles the payment of one request: the first call wins, and interruption does not cancel it. */
export interface Payment {
  /** Settles the usage; releases the reservation if that fails. */
  readonly pay: (usage: Usage) => Effect.Effect<void, BillingUnavailable>
  readonly release: Effect.Effect<void>
}

/** Makes the payment of one request with a meter. */
export const makePayment = (meter: Meter): Payment => {
  let isOver = false
  const settleOnce = <E>(work: Effect.Effect<void, E>) =>
    Effect.uninterruptible(Effect.suspend(() => {
      if (isOver) return Effect.void
      isOver = true
      return work
    }))
  return {
    pay: (usage) => settleOnce(Effect.tapErrorCause(meter.settle(usage), () => meter.release)),
    release: settleOnce(meter.release)
  }
}

const textOf = ({ refusal, text, toolRequests }: Completion): string =>
  [text, refusal ?? "", ...toolRequests.flatMap(({ arguments: text, name }) => [name, text])].join("")

/** More tokens than any answer has; larger reports are ignored. */
const implausibleTokens = 1_000_000_000

const isSane = (usage: Usage): boolean =>
  Object.values(usage).every((count: number) => Number.isSafeInteger(count) && count >= 0 && count < implausibleTokens)

/** Determines the usage of an answer: as reported by its model, or else counted. */
export const usageOf = (
  counter: TokenCounterService,
  completion: Completion,
  inputTokens: () => Effect.Effect<number>
): Effect.Effect<Usage> =>
  completion.usage !== null && isSane(completion.usage)
    ? Effect.succeed(completion.usage)
    : Effect.gen(function*() {
      const reasoningTokens = yield* counter.count(completion.reasoning)
      const outputTokens = reasoningTokens + (yield* counter.count(textOf(completion)))
      return { inputTokens: yield* inputTokens(), cachedTokens: 0, outputTokens, reasoningTokens }
    })

/** Adds up the usage of several answers to one request: the input once, the output of all. */
export const sumUsage = ([first, ...others]: readonly [Usage, ...ReadonlyArray<Usage>]): Usage =>
  others.reduce((sum, usage) => ({
    ...sum,
    outputTokens: sum.outputTokens + usage.outputTokens,
    reasoningTokens: sum.reasoningTokens + usage.reasoningTokens
  }), first)
