import { Invalid, type Issue, issueLimit, issuesOf, NotFound } from "@trunkline/errors"
import { factsOf, type ModelFacts } from "@trunkline/models"
import { Array, Effect, Predicate, Schema } from "effect"
import { ResponseBody } from "../body/ResponseBody.js"
import { unixSeconds } from "../UnixSeconds.js"
import { conversationOf } from "./Conversation.js"
import { echoOf } from "./Echoed.js"
import { modelRequest, reasoningShown } from "./ModelAsked.js"
import type { ResponseAsked } from "./ResponseAsked.js"
import { ruleIssues } from "./Rules.js"

type Catalog = Readonly<Record<string, ModelFacts>>

const WithModel = Schema.Struct({ model: ResponseBody.fields.model })
const decodeModel = Schema.decodeUnknown(WithModel)
const decodeBody = Schema.decodeUnknown(ResponseBody, { errors: "all" })

const invalid = (error: Parameters<typeof issuesOf>[0]) => new Invalid({ issues: issuesOf(error, "body") })

/** The model that a body asks for, and what is known of it. */
const askedModel = (catalog: Catalog, body: unknown) =>
  Effect.flatMap(Effect.mapError(decodeModel(body), invalid), ({ model }) => {
    const facts = factsOf(catalog, model)
    return facts?.routes.includes("responses")
      ? Effect.succeed({ model, facts })
      : new NotFound({ resource: "model", id: model })
  })

/** The model that a body asks for, as `Responses.modelOf` promises it. */
export const modelOf = (catalog: Catalog, body: unknown): Effect.Effect<string, NotFound | Invalid> =>
  Effect.map(askedModel(catalog, body), ({ model }) => model)

/** How bodies are read. */
export interface ResponsesOptions {
  /**
   * What `text` without `format` is: refused with 400, or plain text, for clients that send `text: {}` with every
   * request. Default: `refused`.
   */
  readonly textWithoutFormat?: "refused" | "plain"
}

/** A body without a `text` that says nothing of a format. */
const withoutFormless = (body: unknown): unknown =>
  Predicate.isReadonlyRecord(body) && Predicate.isReadonlyRecord(body["text"]) && body["text"]["format"] == null
    ? { ...body, text: null }
    : body

const noImages = "This model takes no images"

const conversationIn = ({ input: { isList, items }, instructions }: ResponseBody, { images }: ModelFacts) =>
  conversationOf(items, {
    instructions: instructions ?? "",
    locOf: (index) => isList ? ["body", "input", index] : ["body", "input"],
    noImages: images ? null : noImages
  })

/** Reads a body, as `Responses.read` promises it. */
export const readBody = (
  { catalog, textWithoutFormat = "refused" }: ResponsesOptions & { readonly catalog: Catalog },
  body: unknown
): Effect.Effect<ResponseAsked, NotFound | Invalid> =>
  Effect.gen(function*() {
    const { facts } = yield* askedModel(catalog, body)
    const sent = textWithoutFormat === "plain" ? withoutFormless(body) : body
    const read = yield* Effect.mapError(decodeBody(sent), invalid)
    const { issues, messages } = conversationIn(read, facts)
    const wrong: ReadonlyArray<Issue> = [...ruleIssues(read, facts), ...issues].slice(0, issueLimit)
    if (Array.isNonEmptyReadonlyArray(wrong)) return yield* new Invalid({ issues: wrong })
    const echo = echoOf(read, facts)
    return {
      stream: read.stream ?? false,
      request: modelRequest(read, { messages, echo }),
      echo,
      reasoning: reasoningShown(read, facts),
      createdAt: yield* unixSeconds
    }
  })
