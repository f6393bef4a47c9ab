import { type Completion, type Delta, splitWords, type TokenChoice, type TokenLikelihood } from "@trunkline/models"
import { hashToUnit } from "./Phrases.js"
import type { Draft } from "./TokenUsage.js"

/** Alternative tokens: more than the 20 that a request may ask for. */
const others = " the, a, and, to, of, in, is, it, for, that, on, with, as, this, be, at, or, by, not, are, was, so,.,!"
  .split(",")

/** Probability range of chosen tokens. */
const likely = { min: 0.55, max: 0.99 }

const logOf = (likelihood: number): number => Math.round(Math.log(likelihood) * 1_000_000) / 1_000_000

/** Makes the logprobs of a token from a hash of it and its position, with `top` alternatives, itself first. */
const choiceOf = (token: string, place: number, top: number): TokenChoice => {
  const likelihood = likely.min + (likely.max - likely.min) * hashToUnit(`${place} ${token}`)
  const chosenLikelihood: TokenLikelihood = { token, logprob: logOf(likelihood) }
  const alternatives = others.filter((other) => other !== token)
    .map((other, index) => ({ token: other, logprob: logOf((1 - likelihood) / 2 ** (index + 1)) }))
  return { ...chosenLikelihood, top: [chosenLikelihood, ...alternatives].slice(0, top) }
}

/** Longest word that is sent whole, in UTF-16 units; longer ones, such as JSON, are sent in chunks of 8 characters. */
const maxWordLength = 16

/** Splits a text into words with the whitespace before them, and long words into chunks. */
const bitsOf = (text: string): ReadonlyArray<string> =>
  splitWords(text).flatMap((word) => word.length <= maxWordLength ? [word] : word.match(/[^]{1,8}/gu) ?? [])

/** Splits an answer into deltas, except its end; `logprobs` is the number of alternatives per token. */
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

/** Collects the logprobs of deltas. */
export const logprobsOf = (pieces: ReadonlyArray<Delta>): Completion["logprobs"] =>
  pieces.flatMap((piece) => piece._tag === "Text" ? piece.logprobs ?? [] : [])
