import { HttpApi, OpenApi } from "@effect/platform"
import { ChatChunk } from "@trunkline/chat"
import { ResponseEvent } from "@trunkline/responses"
import { LiveEvent } from "@trunkline/telephony"
import { Predicate, Record, Struct } from "effect"
import { Api } from "../api/Api.js"
import { withExamples } from "./Examples.js"
import { discriminated, nameBody, type NamedComponents } from "./NamedSchemas.js"
import { operationTexts } from "./OperationTexts.js"
import { portable } from "./PortableSchemas.js"
import { describeParameter } from "./QueryParameters.js"
import { securityOf, securitySchemes } from "./Security.js"
import { type WebhookOperation, webhooks, webhookSchemas } from "./SentWebhooks.js"

/** True for routes that can respond with an event stream, and that reject invalid bodies with 400 instead of 422. */
const isConversation = ({ tags }: OpenApi.OpenAPISpecOperation): boolean =>
  tags.includes("chat") || tags.includes("responses")

/** True for routes whose failures use the envelope of boards. */
const usesBoardsEnvelope = ({ tags }: OpenApi.OpenAPISpecOperation): boolean =>
  ["boards", "queries", "notifications"].some((tag) => tags.includes(tag))

/** True for routes whose failures use OpenAI's error object. */
const usesModelEnvelope = (operation: OpenApi.OpenAPISpecOperation): boolean =>
  isConversation(operation) || operation.tags.includes("models")

/** True for routes that can fail with 400. HttpApi declares a 400 for every route, but the boundary never sends it. */
const hasBadRequests = (operation: OpenApi.OpenAPISpecOperation): boolean =>
  usesBoardsEnvelope(operation) || (operation.requestBody !== undefined &&
    (isConversation(operation) || operation.tags.includes("voices")))

/** A stream of server-sent events whose data is JSON: the schema of one event. */
const eventsOf = (event: string) => ({ "text/event-stream": { schema: { $ref: `#/components/schemas/${event}` } } })

const transformation = { "application/json": { schema: { type: "object", additionalProperties: true } } }
const audio = { schema: { type: "string", format: "binary" } }

/** Content types of some responses in addition to that of their schema, by operation id. */
const additionalContent: Readonly<Record<string, object>> = {
  "calls.live": eventsOf("LiveEvent"),
  "chat.completions.createCore": eventsOf("ChatChunk"),
  "chat.completions.create": eventsOf("ChatChunk"),
  "responses.create": eventsOf("ResponseEvent"),
  "deployments.cohorts.file": transformation,
  "campaigns.cohorts.file": transformation,
  "voices.speak": {
    "audio/wav": audio,
    "audio/L16": audio,
    "audio/basic": audio,
    "audio/x-mulaw": audio,
    "audio/x-alaw": audio
  }
}

const errorContent = (schema: string) => ({
  content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } }
})

/** Body of a 500 in the envelope of the route. */
const internalErrorOf = (operation: OpenApi.OpenAPISpecOperation) =>
  errorContent(usesBoardsEnvelope(operation) ? "BoardsError" : usesModelEnvelope(operation) ? "ModelError" : "Error")

const descriptions: Record<string, string> = {
  400: "The request is invalid or malformed, or asks for something that this key does not allow",
  401: "The API key is missing or unknown",
  403: "The API key is missing or invalid, or has no access to this workspace",
  404: "The resource does not exist, or not for this API key",
  408: "The query took longer than 15 seconds",
  413: "The body is too large",
  415: "The content type of the body is not supported",
  422: "The request is invalid; the body lists every issue",
  429: "A rate limit is exceeded; `Retry-After` gives the seconds to wait",
  500: "An unexpected error on the server",
  502: "Usage could not be recorded; on responses also when the model failed",
  503: "The server is overloaded, or a component that the request needs is out of service",
  504: "The model took too long"
}

const bodyErrors = ["413", "415"]

/** Statuses whose responses may tell when to ask again. */
const waiting = ["429", "503"]

/** Headers of responses. There are none of rate limits: a limited request gets `retry-after`. */
const headers = {
  RequestId: {
    description: "Id of the request, as the server's logs have it.",
    schema: { type: "string" },
    example: "20260115_0199f0a2-7c1e-7b3a-9d4f-2a6c5e8b1f00"
  },
  RetryAfter: {
    description: "Seconds after which the request may succeed; absent where waiting does not help.",
    schema: { type: "integer", minimum: 1 },
    example: 1
  }
}

/** Responses of a route, without those that HttpApi declares but the route never sends. */
const responsesOf = (operation: OpenApi.OpenAPISpecOperation) =>
  Record.filter(
    { ...operation.responses, 500: internalErrorOf(operation) },
    (_, status) =>
      (status !== "400" || hasBadRequests(operation))
      && (operation.requestBody !== undefined || !bodyErrors.includes(status))
      && (status !== "200" || operation.operationId !== "responses.get")
  )

const describeResponse =
  (operation: OpenApi.OpenAPISpecOperation) => (response: Partial<OpenApi.OpenApiSpecResponse>, status: string) => ({
    ...response,
    ...(Number(status) >= 400 && usesModelEnvelope(operation) && internalErrorOf(operation)),
    ...(status === "400" && internalErrorOf(operation)),
    headers: {
      "x-request-id": { $ref: "#/components/headers/RequestId" },
      ...(waiting.includes(status) && { "retry-after": { $ref: "#/components/headers/RetryAfter" } })
    },
    ...(status === "200" && operation.operationId in additionalContent && {
      content: { ...response.content, ...additionalContent[operation.operationId] }
    }),
    description: descriptions[status] ?? "Success"
  })

const describeOperation = (operation: OpenApi.OpenAPISpecOperation): OpenApi.OpenAPISpecOperation => ({
  ...operation,
  description: [operationTexts[operation.operationId], operation.description].filter(Predicate.isNotUndefined).join(
    " "
  ),
  parameters: operation.parameters.map(describeParameter(operation.operationId)),
  security: securityOf(operation),
  responses: Record.map(responsesOf(operation), describeResponse(operation))
})

/** Describes the operations of a path. Only bodies of chat and responses may have fields that are not described. */
const describePath = (
  path: OpenApi.OpenAPISpecPathItem,
  strict: OpenApi.OpenAPISpecPathItem | undefined
): OpenApi.OpenAPISpecPathItem =>
  Object.fromEntries(
    Object.entries(path).map(([method, operation]) => {
      const body = Object.entries(strict ?? {}).find(([name]) => name === method)?.[1].requestBody
      return [
        method,
        describeOperation(
          body === undefined || isConversation(operation) ? operation : { ...operation, requestBody: body }
        )
      ]
    })
  )

type Schemas = OpenApi.OpenAPISpec["components"]["schemas"]

/** Names of the schemas that a described part of the document refers to, directly and through others. */
const referencesOf = (
  part: unknown,
  schemas: Schemas,
  references: Set<string> = new Set()
): ReadonlySet<string> => {
  for (const [, name = ""] of JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (references.has(name)) continue
    references.add(name)
    referencesOf(schemas[name], schemas, references)
  }
  return references
}

/** Schemas of a document, those of strict bodies without other fields than the described ones. */
const schemasOf = (open: OpenApi.OpenAPISpec, strict: OpenApi.OpenAPISpec): Schemas => {
  const bodies = Object.values(strict.paths).flatMap((path) =>
    Object.values(path).filter((operation) => !isConversation(operation)).map(({ requestBody }) => requestBody)
  )
  const names = referencesOf(bodies, strict.components.schemas)
  return { ...open.components.schemas, ...Record.filter(strict.components.schemas, (_, name) => names.has(name)) }
}

/** Schemas of the events of streams. */
const eventSchemas = [LiveEvent.annotations({ identifier: "LiveEvent" }), ChatChunk, ResponseEvent]

/** The document of the routes, of the bodies of webhooks and of events, whose objects may have further fields or not. */
const documentOf = (additionalPropertiesStrategy: "allow" | "strict"): OpenApi.OpenAPISpec =>
  JSON.parse(
    JSON.stringify(
      OpenApi.fromApi(Api.annotate(HttpApi.AdditionalSchemas, [...webhookSchemas, ...eventSchemas]), {
        additionalPropertiesStrategy
      })
    ),
    portable
  )

/** Schemas whose unions are of named members, with these. */
const withNames = (schemas: Readonly<Record<string, object>>): Readonly<Record<string, object>> => {
  const members: NamedComponents = new Map()
  const components = Record.map(schemas, (schema, name) => discriminated(name, { ...schema }, members))
  return { ...components, ...Object.fromEntries(members) }
}

const mapOperations = (
  path: OpenApi.OpenAPISpecPathItem,
  change: (operation: OpenApi.OpenAPISpecOperation) => OpenApi.OpenAPISpecOperation
): OpenApi.OpenAPISpecPathItem =>
  Object.fromEntries(Object.entries(path).map(([method, operation]) => [method, change(operation)]))

/** An OpenAPI 3.1 document with the webhooks that the engine sends. */
export interface OpenApiDocument extends OpenApi.OpenAPISpec {
  readonly webhooks: Readonly<Record<string, { readonly post: WebhookOperation }>>
  readonly components: OpenApi.OpenAPISpec["components"] & { readonly headers: typeof headers }
}

/**
 * OpenAPI 3.1 document of every route and every webhook.
 *
 * @param server - URL or path prefix that the paths are relative to; the root by default.
 */
export const openApi = (server = "/"): OpenApiDocument => {
  const document = documentOf("allow")
  const strict = documentOf("strict")
  const namedSchemas: NamedComponents = new Map()
  const paths = Record.map(
    document.paths,
    (path, name) =>
      mapOperations(describePath(path, strict.paths[name]), (operation) => nameBody(operation, namedSchemas))
  )
  const used = Struct.omit(schemasOf(document, strict), "HttpApiDecodeError", "Issue", "PropertyKey")
  const schemas: Schemas = JSON.parse(JSON.stringify(withNames({ ...used, ...Object.fromEntries(namedSchemas) })))
  return {
    ...document,
    info: {
      title: "Trunkline",
      version: "1.0.0",
      description: "An embeddable voice-agent platform.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" }
    },
    servers: [{ url: server, description: "The server that serves this document" }],
    tags: [...document.tags, { name: "webhooks", description: "Requests that the engine sends." }],
    paths: Record.map(paths, (path) => mapOperations(path, (operation) => withExamples(operation, schemas))),
    webhooks,
    components: { schemas, headers, securitySchemes }
  }
}
