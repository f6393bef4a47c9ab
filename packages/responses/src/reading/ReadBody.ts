import { Invalid, type Issue, issuesOf, maxIssues, NotFound } from "@trunkline/errors"
import { findModel, type ModelFacts, type ModelRequest } from "@trunkline/models"
import { Array, Effect, Predicate, Schema } from "effect"
import { ResponseBody } from "../body/ResponseBody.js"
import type { ReasoningVisibility } from "../output/Output.js"
import { type Echo, unixSeconds } from "../resource/ResponseResource.js"
import { readConversation } from "./Conversation.js"
import { reasoningVisibility, toEcho, toModelRequest } from "./ModelRequest.js"
import { ruleIssues } from "./Rules.js"

/** A validated request for a response. It may be answered any number of times. */
export interface ResponseRequest {
  /** True when the client requested a stream. */
  readonly stream: boolean
  /** The request to the model. */
  readonly request: ModelRequest
  /** The fields that the response repeats. */
  readonly echo: Echo
  /** The reasoning that the response shows. */
  readonly reasoning: ReasoningVisibility
  /** When the request was validated, in Unix seconds: `created_at` of its response. */
  readonly createdAt: number
}

type Catalog = Readonly<Record<string, ModelFacts>>

const WithModel = Schema.Struct({ model: ResponseBody.fields.model })
const decodeModel = Schema.decodeUnknown(WithModel)
const decodeBody = Schema.decodeUnknown(ResponseBody, { errors: "all" })

const invalid = (error: Parameters<typeof issuesOf>[0]) => new Invalid({ issues: issuesOf(error, "body") })

/** The model of a body, and the facts about it. */
const modelFacts = (catalog: Catalog, body: unknown) =>
  Effect.flatMap(Effect.mapError(decodeModel(body), invalid), ({ model }) => {
    const facts = findModel(catalog, model)
    return facts?.routes.includes("responses")
      ? Effect.succeed({ model, facts })
      : new NotFound({ resource: "model", id: model })
  })

/** Implements `Responses.modelOf`. */
export const modelOf = (catalog: Catalog, body: unknown): Effect.Effect<string, NotFound | Invalid> =>
  Effect.map(modelFacts(catalog, body), ({ model }) => model)

/** Options for validating bodies. */
export interface ResponsesOptions {
  /**
   * Meaning of `text` without `format`: an invalid body, or plain text for clients such as LangChain that send
   * `text: {}` with every request. Default: `refused`.
   */
  readonly textWithoutFormat?: "refused" | "plain"
}

/** Removes a `text` without `format` from a body. */
const withoutFormlessText = (body: unknown): unknown =>
  Predicate.isReadonlyRecord(body) && Predicate.isReadonlyRecord(body["text"]) && body["text"]["format"] == null
    ? { ...body, text: null }
    : body

const noImages = "This model takes no images"

const toConversation = ({ input: { isList, items }, instructions }: ResponseBody, { images }: ModelFacts) =>
  readConversation(items, {
    instructions: instructions ?? "",
    locOf: (index) => isList ? ["body", "input", index] : ["body", "input"],
    noImages: images ? null : noImages
  })

/** Implements `Responses.read`. */
export const readBody = (
  { catalog, textWithoutFormat = "refused" }: ResponsesOptions & { readonly catalog: Catalog },
  body: unknown
): Effect.Effect<ResponseRequest, NotFound | Invalid> =>
  Effect.gen(function*() {
    const { facts } = yield* modelFacts(catalog, body)
    const input = textWithoutFormat === "plain" ? withoutFormlessText(body) : body
    const read = yield* Effect.mapError(decodeBody(input), invalid)
    const { issues, messages } = toConversation(read, facts)
    const issueList: ReadonlyArray<Issue> = [...ruleIssues(read, facts), ...issues].slice(0, maxIssues)
    if (Array.isNonEmptyReadonlyArray(issueList)) return yield* new Invalid({ issues: issueList })
    const echo = toEcho(read, facts)
    return {
      stream: read.stream ?? false,
      request: toModelRequest(read, { messages, echo }),
      echo,
      reasoning: reasoningVisibility(read, facts),
      createdAt: yield* unixSeconds
    }
  })
