import { efforts, publicModels } from "@trunkline/models"
import { Schema, Struct } from "effect"
import { ChatMessagesV1, ChatMessagesV2 } from "./ChatMessages.js"
import { ChatFormat, ChatToolChoice, ChatTools } from "./ChatTools.js"
import { flag, JsonObject, limitedList, optional } from "./Fields.js"

/** Limits on what a body may contain or request. */
const chatLimits = {
  /** Stop sequences. */
  stop: 4,
  /** UTF-16 code units of each stop sequence. */
  stopUnits: 1_000,
  /** Choices per body, as in OpenAI's API. Each choice is a separate, billed request to the model. */
  choices: 128,
  /** Tokens per choice: more than any model generates, and small enough for sums to stay exact. */
  maxTokens: 2_147_483_647,
  /** Alternative tokens listed for each token. */
  topLogprobs: 20
} as const

/** Maximum length of a choice in tokens when the body has no `max_tokens`. */
export const defaultMaxTokens = 2048

const StopSequence = Schema.NonEmptyString.pipe(Schema.maxLength(chatLimits.stopUnits))

/** A model id. Any string is decoded; the catalog decides which ids exist. */
const modelOn = (route: "chat_v1" | "chat_v2") =>
  Schema.String.annotations({
    jsonSchema: {
      type: "string",
      description: "A listed model id; case matters",
      enum: Struct.keys(publicModels).filter((id) => publicModels[id].routes.includes(route))
    }
  })

const MaxTokens = Schema.Int.pipe(Schema.between(1, chatLimits.maxTokens))

const Penalty = Schema.Number.pipe(Schema.between(-2, 2))

/** The fields that both versions share, with OpenAI's names and meanings. */
const fields = {
  temperature: optional(Schema.Number.pipe(Schema.between(0, 2)), "Defaults to 0.2, on model-g to 1"),
  top_p: optional(Schema.Number.pipe(Schema.between(0, 1)), "Defaults to 1, on model-g to 0.95"),
  reasoning_effort: Schema.optional(
    Schema.NullOr(Schema.Literal(...efforts)).annotations({
      description: "Reasoning effort; defaults to the model's own, and null turns reasoning off"
    })
  ),
  max_tokens: optional(
    MaxTokens,
    `Maximum tokens of each choice, reasoning included; defaults to ${defaultMaxTokens}, or to the rest of the context`
  ),
  max_completion_tokens: optional(
    MaxTokens,
    "The newer name of max_tokens; the smaller one applies when both are given"
  ),
  stream: flag("Streams the response as server-sent events"),
  stream_options: optional(
    Schema.Struct({ include_usage: flag("Adds a last event with the token usage") }),
    "Only used when stream is true"
  ),
  stop: optional(
    Schema.Union(StopSequence, limitedList(StopSequence, chatLimits.stop)),
    "Sequences at which generation stops; they are not part of the response"
  ),
  n: optional(Schema.Int.pipe(Schema.between(1, chatLimits.choices)), "Number of choices; defaults to 1"),
  seed: optional(Schema.Int, "Makes responses to equal bodies reproducible, as far as the model can"),
  frequency_penalty: optional(Penalty, "Defaults to 0"),
  presence_penalty: optional(Penalty, "Defaults to 0"),
  tools: optional(ChatTools, "Functions that the model may call"),
  tool_choice: optional(ChatToolChoice, "Defaults to auto with tools and to none without"),
  parallel_tool_calls: optional(Schema.Boolean, "Allows several calls at once; models may ignore it"),
  response_format: optional(ChatFormat, "Format of the response text"),
  logprobs: flag("Returns the log probability of each token; not on model-g"),
  top_logprobs: optional(
    Schema.Int.pipe(Schema.between(0, chatLimits.topLogprobs)),
    "Number of alternatives listed for each token; requires logprobs, not on model-g"
  )
}

const bodyV1 = Schema.Struct({ messages: ChatMessagesV1, model: modelOn("chat_v1"), ...fields })

/** Fields that `extra_body` rejects, with the reason: the body has them, or had them by another name. */
const misplacedFields: ReadonlyArray<readonly [field: string, reason: string]> = [
  ...[...Struct.keys(bodyV1.fields), "extra_body"].map((field) =>
    [field, "Put this field into the body itself"] as const
  ),
  ["functions", "Use tools instead, in the body itself"],
  ["function_call", "Use tool_choice instead, in the body itself"]
]

const ExtraBody = JsonObject.pipe(
  Schema.filter((extra) =>
    misplacedFields.filter(([field]) => Object.hasOwn(extra, field)).map(([field, message]) => ({
      path: [field],
      message
    }))
  )
)

const bodyV2 = Schema.Struct({
  messages: ChatMessagesV2,
  model: modelOn("chat_v2"),
  ...fields,
  extra_body: optional(ExtraBody, "Additional fields for the model's provider")
})

/** Request bodies of chat completions, by version of the route. Unknown fields are ignored. */
export const ChatBody = {
  v1: bodyV1.annotations({ identifier: "ChatBodyV1", description: "A chat completion of a core model" }),
  v2: bodyV2.annotations({ identifier: "ChatBodyV2", description: "A chat completion" })
} as const

/** A version of the route. */
export type ChatVersion = keyof typeof ChatBody

/** A decoded body of either version. */
export type ChatBody = typeof bodyV2.Type | typeof bodyV1.Type
