import type { TokenChoice, TokenLikelihood } from "../answer/Delta.js"
import { share } from "./Seeds.js"

/** What might have been written instead: more than anybody may ask for (specification: Chat completions v2, up to 20). */
const others = " the, a, and, to, of, in, is, it, for, that, on, with, as, this, be, at, or, by, not, are, was, so,.,!"
  .split(",")

/** The least and the most that a chosen token is likely. */
const likely = { least: 0.55, most: 0.99 }

const logOf = (likelihood: number): number => Math.round(Math.log(likelihood) * 1_000_000) / 1_000_000

/** How likely a token is at its place, by a hash of both, with so many of the likeliest there, itself the first. */
export const choiceOf = (token: string, place: number, top: number): TokenChoice => {
  const likelihood = likely.least + (likely.most - likely.least) * share(`${place} ${token}`)
  const chosen: TokenLikelihood = { token, logprob: logOf(likelihood) }
  const alternatives = others.filter((other) => other !== token)
    .map((other, index) => ({ token: other, logprob: logOf((1 - likelihood) / 2 ** (index + 1)) }))
  return { ...chosen, top: [chosen, ...alternatives].slice(0, top) }
}
