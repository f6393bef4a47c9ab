import type { TokenChoice, TokenLikelihood } from "@trunkline/models"
import { isObject, listIn } from "../Json.js"
import { wellFormed } from "./PairKeeper.js"

const likelihood = (value: unknown): ReadonlyArray<TokenLikelihood> =>
  isObject(value) && typeof value.token === "string" && typeof value.logprob === "number"
    ? [{ token: wellFormed(value.token), logprob: value.logprob }]
    : []

/** The tokens in the `logprobs` of a choice, each with at most so many of the likeliest at its place. */
export const tokenChoices = (logprobs: unknown, most: number): ReadonlyArray<TokenChoice> =>
  isObject(logprobs)
    ? listIn(logprobs.content).flatMap((entry) =>
      likelihood(entry).map((written) => ({
        ...written,
        top: isObject(entry) ? listIn(entry.top_logprobs).slice(0, most).flatMap(likelihood) : []
      }))
    )
    : []
