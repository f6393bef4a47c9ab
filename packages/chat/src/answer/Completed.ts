import type { Answered, Completion } from "@trunkline/models"
import type { ChatChoice, ChatCompletion } from "./ChatCompletion.js"
import { chatLogprobs, chatUsage, wellFormed } from "./Wording.js"

/** What all of an answer's events, or the whole of it, begin with. */
export interface ChatHead {
  readonly id: string
  /** Unix seconds. */
  readonly created: number
  readonly model: string
}

const contentOf = ({ refusal, text, toolRequests }: Completion): string | null =>
  text === "" && (refusal !== null || toolRequests.length > 0) ? null : wellFormed(text)

const choiceOf = (completion: Completion, index: number): ChatChoice => {
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
    logprobs: logprobs.length === 0 ? null : chatLogprobs(logprobs),
    finish_reason: finish
  }
}

/** Whole answers in the words of chat. */
export const completed = ({ created, id, model }: ChatHead, { choices, usage }: Answered): ChatCompletion => ({
  id,
  object: "chat.completion",
  created,
  model,
  choices: choices.map(choiceOf),
  usage: chatUsage(usage),
  service_tier: null,
  system_fingerprint: null
})
