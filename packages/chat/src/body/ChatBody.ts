import { efforts, publicModels } from "@trunkline/models"
import { Schema, Struct } from "effect"
import { ChatFormat } from "./ChatFormat.js"
import { ChatMessagesV1, ChatMessagesV2 } from "./ChatMessages.js"
import { ChatToolChoice, ChatTools } from "./ChatTools.js"
import { flag, JsonObject, optional } from "./Fields.js"
import { shortList } from "./Lists.js"

/** The most that a body may hold or ask for; what names no source is ours. */
export const chatLimits = {
  /** Stop sequences (specification, Limits). */
  stop: 4,
  /** UTF-16 units of each of them. */
  stopUnits: 1_000,
  /** Answers to one body, as OpenAI has it: each is a request of its own to the model, and is paid for. */
  choices: 128,
  /** Tokens of one answer: more than any model writes, and few enough for sums to stay exact. */
  maxTokens: 2_147_483_647,
  /** Tokens shown beside each token (shapes 9.1). */
  topLogprobs: 20
} as const

/** The length of an answer, in tokens, where the body has no `max_tokens` (specification, Limits). */
export const defaultMaxTokens = 2048

const StopSequence = Schema.NonEmptyString.pipe(Schema.maxLength(chatLimits.stopUnits))

/** Any id is read; which ones there are is for the catalog to say. */
const modelOn = (route: "chat_v1" | "chat_v2") =>
  Schema.String.annotations({
    jsonSchema: {
      type: "string",
      description: "Exactly as it is listed, in this case of letters",
      enum: Struct.keys(publicModels).filter((id) => publicModels[id].routes.includes(route))
    }
  })

const MaxTokens = Schema.Int.pipe(Schema.between(1, chatLimits.maxTokens))

const Penalty = Schema.Number.pipe(Schema.between(-2, 2))

/**
 * The fields of both versions (specification, Chat completions v1; shapes 9.1). `max_completion_tokens` and
 * `parallel_tool_calls` are extensions, since clients of today send them and would not want them ignored.
 */
const fields = {
  temperature: optional(Schema.Number.pipe(Schema.between(0, 2)), "0.2 unless given; 1 on model-g"),
  top_p: optional(Schema.Number.pipe(Schema.between(0, 1)), "1 unless given; 0.95 on model-g"),
  reasoning_effort: Schema.optional(
    Schema.NullOr(Schema.Literal(...efforts)).annotations({
      description: "How hard to think: as hard as the model does by itself unless given, and not at all with null"
    })
  ),
  max_tokens: optional(
    MaxTokens,
    `Tokens of each answer, those of thinking included; ${defaultMaxTokens} unless given, or what the context leaves`
  ),
  max_completion_tokens: optional(MaxTokens, "The newer name of max_tokens; the smaller holds where both are given"),
  stream: flag("Whether the answer comes piece by piece, as server-sent events"),
  stream_options: optional(
    Schema.Struct({ include_usage: flag("Whether a last piece tells the usage") }),
    "Without effect unless stream is true"
  ),
  stop: optional(
    Schema.Union(StopSequence, shortList(StopSequence, chatLimits.stop)),
    "Texts that end the answer before them"
  ),
  n: optional(Schema.Int.pipe(Schema.between(1, chatLimits.choices)), "How many answers to give; 1 unless given"),
  seed: optional(Schema.Int, "The same seed and body give the same answer as far as the model can"),
  frequency_penalty: optional(Penalty, "0 unless given"),
  presence_penalty: optional(Penalty, "0 unless given"),
  tools: optional(ChatTools, "Functions that the model may ask for"),
  tool_choice: optional(ChatToolChoice, "auto with tools unless given, none without"),
  parallel_tool_calls: optional(Schema.Boolean, "Whether it may ask for several at once; models need not heed it"),
  response_format: optional(ChatFormat, "The form of the answer's text"),
  logprobs: flag("Whether to tell how likely each token was; not on model-g"),
  top_logprobs: optional(
    Schema.Int.pipe(Schema.between(0, chatLimits.topLogprobs)),
    "How many tokens to show beside each token, with logprobs; not on model-g"
  )
}

const V1 = Schema.Struct({ messages: ChatMessagesV1, model: modelOn("chat_v1"), ...fields })

const ownFields = [...Struct.keys(V1.fields), "extra_body"]

const ExtraBody = JsonObject.pipe(
  Schema.filter((extra) =>
    ownFields.filter((key) => Object.hasOwn(extra, key)).map((key) => ({
      path: [key],
      message: "Put this field into the body itself"
    }))
  )
)

const V2 = Schema.Struct({
  messages: ChatMessagesV2,
  model: modelOn("chat_v2"),
  ...fields,
  extra_body: optional(ExtraBody, "Fields that only the model's own provider knows")
})

/** The bodies of chat completions, by version of the route. Other fields than these are ignored. */
export const ChatBody = {
  v1: V1.annotations({ identifier: "ChatBodyV1", description: "A chat completion of a core model" }),
  v2: V2.annotations({ identifier: "ChatBodyV2", description: "A chat completion" })
} as const

/** A version of the route. */
export type ChatVersion = keyof typeof ChatBody

/** A body of either version, as it was read. */
export type ChatBody = typeof V2.Type | typeof V1.Type
