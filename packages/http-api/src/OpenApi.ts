import { OpenApi } from "@effect/platform"
import { Record, Struct } from "effect"
import { Api } from "./Api.js"

const securitySchemes: Record<string, OpenApi.OpenAPISecurityScheme> = {
  subscriptionKey: { type: "apiKey", in: "header", name: "api-subscription-key" },
  bearer: { type: "http", scheme: "bearer" },
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key" }
}

const requiring = (...names: ReadonlyArray<string>) => names.map((name) => ({ [name]: [] }))

/** The headers that may hold the key, by group, the preferred one first; groups of a workspace's routes are not named. */
const keys: Readonly<Record<string, OpenApi.OpenAPISpecOperation["security"]>> = (() => {
  const main = requiring("subscriptionKey", "bearer")
  const boards = requiring("apiKey", "subscriptionKey", "bearer")
  return {
    service: [],
    carrierEvents: [],
    models: [{}, ...main],
    chat: main,
    responses: main,
    voices: main,
    boards,
    queries: boards,
    notifications: boards
  }
})()

const workspaceKeys = requiring("subscriptionKey", "apiKey", "bearer")

/** Routes that answer in events when they are asked to, and whose bodies are refused with 400 rather than 422. */
const isConversation = ({ tags }: OpenApi.OpenAPISpecOperation): boolean =>
  tags.includes("chat") || tags.includes("responses")

/** Routes that fail in the boards' own envelope. */
const isOfBoards = ({ tags }: OpenApi.OpenAPISpecOperation): boolean =>
  ["boards", "queries", "notifications"].some((tag) => tags.includes(tag))

/** Routes whose failures are made for OpenAI's clients. */
const isOfModels = (operation: OpenApi.OpenAPISpecOperation): boolean =>
  isConversation(operation) || operation.tags.includes("models")

/** True for routes with a 400 of their own: the platform adds one to every route, which the boundary never lets out. */
const hasBadRequests = (operation: OpenApi.OpenAPISpecOperation): boolean =>
  isOfBoards(operation) || (operation.requestBody !== undefined &&
    (isConversation(operation) || operation.tags.includes("voices")))

const eventStream = { "text/event-stream": { schema: { type: "string" } } }
const transformation = { "application/json": { schema: { type: "object" } } }
const sound = { schema: { type: "string", format: "binary" } }

/** Content that some routes answer with besides that of their schema, by its type. */
const furtherContent: Readonly<Record<string, object>> = {
  "chat.v1": eventStream,
  "chat.v2": eventStream,
  "responses.create": eventStream,
  "cohorts.fileOfDeployment": transformation,
  "cohorts.fileOfCampaign": transformation,
  "voices.stream": {
    "audio/wav": sound,
    "audio/L16": sound,
    "audio/basic": sound,
    "audio/x-mulaw": sound,
    "audio/x-alaw": sound
  }
}

const failing = (schema: string) => ({
  content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } }
})

/** The body of a 500, as the route's family has it. */
const internalOf = (operation: OpenApi.OpenAPISpecOperation) =>
  failing(isOfBoards(operation) ? "BoardsError" : isOfModels(operation) ? "ModelError" : "Error")

const descriptions: Record<string, string> = {
  400: "The request asks for something that cannot be given, or is not allowed to this key",
  401: "There is no key, or one that nobody knows",
  403: "The key is no good, or not for this workspace",
  404: "There is no such thing, or not for this key",
  408: "Finding the answer took longer than 15 seconds",
  413: "The body is too large",
  415: "The body is of another content type",
  422: "Everything that is wrong with the request",
  429: "The rate limit is exceeded; `Retry-After` says for how long",
  500: "Something went wrong on the server's side",
  502: "Usage could not be recorded; on responses also that the model failed",
  503: "The server has too much to do, or something that the request needs is out of service",
  504: "The model took too long"
}

const bodyErrors = ["413", "415"]

/** Numbers come as text in a query, and would be described as such. */
const describedParameter = (parameter: OpenApi.OpenAPISpecParameter): OpenApi.OpenAPISpecParameter =>
  parameter.name === "offset" || parameter.name === "limit"
    ? { ...parameter, schema: { type: "integer" } }
    : parameter

/** The statuses that a route answers with: not what the platform adds to all, nor a response that is never kept. */
const statusesOf = (operation: OpenApi.OpenAPISpecOperation) =>
  Record.filter(
    { ...operation.responses, 500: internalOf(operation) },
    (_, status) =>
      (status !== "400" || hasBadRequests(operation))
      && (operation.requestBody !== undefined || !bodyErrors.includes(status))
      && (status !== "200" || operation.operationId !== "responses.get")
  )

const describedResponse =
  (operation: OpenApi.OpenAPISpecOperation) => (response: Partial<OpenApi.OpenApiSpecResponse>, status: string) => ({
    ...response,
    ...(Number(status) >= 400 && isOfModels(operation) && internalOf(operation)),
    ...(status === "400" && internalOf(operation)),
    ...(status === "200" && operation.operationId in furtherContent && {
      content: { ...response.content, ...furtherContent[operation.operationId] }
    }),
    description: descriptions[status] ?? "Success"
  })

const describedOperation = (operation: OpenApi.OpenAPISpecOperation): OpenApi.OpenAPISpecOperation => ({
  ...operation,
  parameters: operation.parameters.map(describedParameter),
  security: keys[operation.tags[0]] ?? workspaceKeys,
  responses: Record.map(statusesOf(operation), describedResponse(operation))
})

const describedPath = (path: OpenApi.OpenAPISpecPathItem): OpenApi.OpenAPISpecPathItem =>
  Object.fromEntries(Object.entries(path).map(([method, operation]) => [method, describedOperation(operation)]))

/** The description of every route, as an OpenAPI 3.1 document. Paths begin at `server`, by default at the root. */
export const openApi = (server = "/"): OpenApi.OpenAPISpec => {
  const document = OpenApi.fromApi(Api, { additionalPropertiesStrategy: "allow" })
  return {
    ...document,
    info: {
      title: "Trunkline",
      version: "1.0.0",
      description: "An embeddable voice-agent platform.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" }
    },
    servers: [{ url: server, description: "The server that this description comes from" }],
    paths: Record.map(document.paths, describedPath),
    components: {
      schemas: Struct.omit(document.components.schemas, "HttpApiDecodeError", "Issue", "PropertyKey"),
      securitySchemes
    }
  }
}
