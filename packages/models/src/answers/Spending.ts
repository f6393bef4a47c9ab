import { Effect } from "effect"
import type { Completion } from "../answer/Completion.js"
import type { Usage } from "../answer/Usage.js"
import type { CountsTokens } from "../tokens/TokenCounter.js"

const written = ({ refusal, text, toolRequests }: Completion): string =>
  [text, refusal ?? "", ...toolRequests.flatMap(({ arguments: text, name }) => [name, text])].join("")

/** More tokens than any answer has: a model that tells of more cannot count. */
const absurd = 1_000_000_000

const isSane = (usage: Usage): boolean =>
  Object.values(usage).every((count: number) => Number.isSafeInteger(count) && count >= 0 && count < absurd)

/** What an answer took: what its model says, or else what can be counted. */
export const usageOf = (
  counter: CountsTokens,
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
export const together = ([first, ...others]: readonly [Usage, ...ReadonlyArray<Usage>]): Usage =>
  others.reduce((sum, usage) => ({
    ...sum,
    outputTokens: sum.outputTokens + usage.outputTokens,
    reasoningTokens: sum.reasoningTokens + usage.reasoningTokens
  }), first)
