import type { TokenChoice, TokenLikelihood, Usage } from "@trunkline/models"
import type { ChatLogprobs, ChatUsage } from "./ChatCompletion.js"

/** What stands for half of a surrogate pair whose other half is missing. */
export const replacement = "\ufffd"

const anyHalf = /[\ud800-\udfff]/
const loneHalves = /\p{Surrogate}/gu

/** A text that UTF-8 can hold. */
export const wellFormed = (text: string): string => anyHalf.test(text) ? text.replace(loneHalves, replacement) : text

const encoder = new TextEncoder()

const bytesOf = (token: string): ReadonlyArray<number> | null =>
  token.includes(replacement) ? null : [...encoder.encode(token)]

const likelihoodOf = ({ logprob, token }: TokenLikelihood) => {
  const text = wellFormed(token)
  return { token: text, logprob, bytes: bytesOf(text) }
}

/** How likely tokens were, in the words of chat. */
export const chatLogprobs = (tokens: ReadonlyArray<TokenChoice>): typeof ChatLogprobs.Type => ({
  content: tokens.map((choice) => ({ ...likelihoodOf(choice), top_logprobs: choice.top.map(likelihoodOf) })),
  refusal: null
})

/** Tokens taken up, in the words of chat. */
export const chatUsage = ({ cachedTokens, inputTokens, outputTokens, reasoningTokens }: Usage): ChatUsage => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
  completion_tokens_details: { reasoning_tokens: reasoningTokens },
  prompt_tokens_details: cachedTokens === 0 ? null : { cached_tokens: cachedTokens }
})
