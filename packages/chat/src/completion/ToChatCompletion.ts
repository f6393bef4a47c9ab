import type { AnswerSet, Completion, TokenChoice, TokenLikelihood, Usage } from "@trunkline/models"
import type { ChatChoice, ChatCompletion, ChatLogprobs, ChatUsage } from "./ChatCompletion.js"

/** Replaces half of a surrogate pair whose other half is missing. */
export const replacementCharacter = "\ufffd"

const anySurrogate = /[\ud800-\udfff]/
const loneSurrogates = /\p{Surrogate}/gu

/** The text with lone surrogates replaced, so that it can be encoded as UTF-8. */
export const wellFormed = (text: string): string =>
  anySurrogate.test(text) ? text.replace(loneSurrogates, replacementCharacter) : text

const encoder = new TextEncoder()

const bytesOf = (token: string): ReadonlyArray<number> | null =>
  token.includes(replacementCharacter) ? null : [...encoder.encode(token)]

const tokenLogprob = ({ logprob, token }: TokenLikelihood) => {
  const text = wellFormed(token)
  return { token: text, logprob, bytes: bytesOf(text) }
}

/** Converts token probabilities to `logprobs`. */
export const toChatLogprobs = (tokens: ReadonlyArray<TokenChoice>): typeof ChatLogprobs.Type => ({
  content: tokens.map((choice) => ({ ...tokenLogprob(choice), top_logprobs: choice.top.map(tokenLogprob) })),
  refusal: null
})

/** Converts token usage to `usage`. */
export const toChatUsage = ({ cachedTokens, inputTokens, outputTokens, reasoningTokens }: Usage): ChatUsage => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
  completion_tokens_details: { reasoning_tokens: reasoningTokens },
  prompt_tokens_details: cachedTokens === 0 ? null : { cached_tokens: cachedTokens }
})

/** The fields that a completion and all chunks of its stream have in common. */
export interface ChatHead {
  readonly id: string
  /** Unix seconds. */
  readonly created: number
  readonly model: string
}

const contentOf = ({ refusal, text, toolRequests }: Completion): string | null =>
  text === "" && (refusal !== null || toolRequests.length > 0) ? null : wellFormed(text)

const toChatChoice = (completion: Completion, index: number): ChatChoice => {
  const { finish, logprobs, reasoning, refusal, toolRequests } = completion
  return {
    index,
    message: {
      role: "assistant",
      content: contentOf(completion),
      refusal: refusal === null ? null : wellFormed(refusal),
      ...(reasoning !== "" && { reasoning_content: wellFormed(reasoning) }),
      ...(toolRequests.length > 0 && {
        tool_calls: toolRequests.map(({ arguments: text, id, name }) => ({
          id,
          type: "function" as const,
          function: { name, arguments: wellFormed(text) }
        }))
      })
    },
    logprobs: logprobs.length === 0 ? null : toChatLogprobs(logprobs),
    finish_reason: finish
  }
}

/** Converts the model's answer to a response body. */
export const toChatCompletion = ({ created, id, model }: ChatHead, { choices, usage }: AnswerSet): ChatCompletion => ({
  id,
  object: "chat.completion",
  created,
  model,
  choices: choices.map(toChatChoice),
  usage: toChatUsage(usage),
  service_tier: null,
  system_fingerprint: null
})
