import { type Completion, wordsIn } from "../answer/Completion.js"
import type { Delta } from "../answer/Delta.js"
import { choiceOf } from "./Likelihood.js"
import type { Draft } from "./Writing.js"

/** Words up to this length come whole, in UTF-16 units; what is longer, such as JSON, comes in bits of 8 characters. */
const longestWord = 16

/** A text word by word, with the blanks before each; long words in bits. */
const bitsOf = (text: string): ReadonlyArray<string> =>
  wordsIn(text).flatMap((word) => word.length <= longestWord ? [word] : word.match(/[^]{1,8}/gu) ?? [])

/** The pieces of an answer, all but how it ends; `logprobs` is how many likely tokens to tell at each place. */
export const piecesOf = (answer: Draft, logprobs: number | undefined): ReadonlyArray<Delta> => [
  ...bitsOf(answer.reasoning).map((text) => ({ _tag: "Reasoning", text }) as const),
  ...bitsOf(answer.refusal ?? "").map((text) => ({ _tag: "Refusal", text }) as const),
  ...bitsOf(answer.text).map((text, place) => ({
    _tag: "Text",
    text,
    ...(logprobs !== undefined && { logprobs: [choiceOf(text, place, logprobs)] })
  } as const)),
  ...answer.toolRequests.flatMap(({ arguments: text, id, name }, index): ReadonlyArray<Delta> => [
    { _tag: "ToolStart", index, id, name },
    ...bitsOf(text).map((text) => ({ _tag: "ToolArgs", index, text }) as const)
  ])
]

/** The likelihoods that the pieces of an answer tell. */
export const logprobsOf = (pieces: ReadonlyArray<Delta>): Completion["logprobs"] =>
  pieces.flatMap((piece) => piece._tag === "Text" ? piece.logprobs ?? [] : [])
