import { type Completion, type Delta, type TokenChoice, type TokenLikelihood, wordsIn } from "@trunkline/models"
import { hashToUnit } from "./Phrases.js"
import type { Draft } from "./TokenUsage.js"

/** What might have been written instead: more than anybody may ask for (specification: Chat completions v2, up to 20). */
const others = " the, a, and, to, of, in, is, it, for, that, on, with, as, this, be, at, or, by, not, are, was, so,.,!"
  .split(",")

/** The least and the most that a chosen token is likely. */
const likely = { least: 0.55, most: 0.99 }

const logOf = (likelihood: number): number => Math.round(Math.log(likelihood) * 1_000_000) / 1_000_000

/** How likely a token is at its place, by a hash of both, with so many of the likeliest there, itself the first. */
export const choiceOf = (token: string, place: number, top: number): TokenChoice => {
  const likelihood = likely.least + (likely.most - likely.least) * hashToUnit(`${place} ${token}`)
  const chosen: TokenLikelihood = { token, logprob: logOf(likelihood) }
  const alternatives = others.filter((other) => other !== token)
    .map((other, index) => ({ token: other, logprob: logOf((1 - likelihood) / 2 ** (index + 1)) }))
  return { ...chosen, top: [chosen, ...alternatives].slice(0, top) }
}

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
