import { OpenApi } from "@effect/platform"
import { Record, Struct } from "effect"
import { Api } from "./Api.js"

const securitySchemes: Record<string, OpenApi.OpenAPISecurityScheme> = {
  subscriptionKey: { type: "apiKey", in: "header", name: "api-subscription-key" },
  bearer: { type: "http", scheme: "bearer" },
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key" }
}

/** Which headers may hold the key: of conversations with models fewer than of a workspace's routes. */
const workspaceKeys = Struct.keys(securitySchemes).map((name) => ({ [name]: [] }))
const modelKeys = ["subscriptionKey", "bearer"].map((name) => ({ [name]: [] }))

const keysOf = (tag = ""): OpenApi.OpenAPISpecOperation["security"] => {
  switch (tag) {
    case "service":
      return []
    case "models":
      return [{}, ...modelKeys]
    case "chat":
    case "responses":
      return modelKeys
    default:
      return workspaceKeys
  }
}

/** Routes that answer in events when they are asked to, and whose bodies are refused with 400 rather than 422. */
const isConversation = ({ tags }: OpenApi.OpenAPISpecOperation): boolean =>
  tags.includes("chat") || tags.includes("responses")

/** Routes that fail in the boards' own envelope. */
const isOfBoards = ({ tags }: OpenApi.OpenAPISpecOperation): boolean =>
  ["boards", "queries", "notifications"].some((tag) => tags.includes(tag))

/** Routes whose failures are made for OpenAI's clients. */
const isOfModels = (operation: OpenApi.OpenAPISpecOperation): boolean =>
  isConversation(operation) || operation.tags.includes("models")

const eventStream = { "text/event-stream": { schema: { type: "string" } } } as const

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

/** Leaves out what the platform adds to every route, and the boundary only lets out where there is a body: a 400. */
const describedOperation = (operation: OpenApi.OpenAPISpecOperation): OpenApi.OpenAPISpecOperation => {
  const statuses = Record.filter(
    { ...operation.responses, 500: internalOf(operation) },
    (_, status) =>
      (status !== "400" || isConversation(operation) || isOfBoards(operation))
      && (operation.requestBody !== undefined || !bodyErrors.includes(status))
  )
  return {
    ...operation,
    parameters: operation.parameters.map(describedParameter),
    security: keysOf(operation.tags[0]),
    responses: Record.map(statuses, (response, status) => ({
      ...response,
      ...(Number(status) >= 400 && isOfModels(operation) && internalOf(operation)),
      ...(status === "400" && isOfBoards(operation) && internalOf(operation)),
      ...(status === "200" && isConversation(operation) && { content: { ...response.content, ...eventStream } }),
      description: descriptions[status] ?? "Success"
    }))
  }
}

const describedPath = (path: OpenApi.OpenAPISpecPathItem): OpenApi.OpenAPISpecPathItem =>
  Object.fromEntries(Object.entries(path).map(([method, operation]) => [method, describedOperation(operation)]))

/** The description of every route, as an OpenAPI 3.1 document. */
export const openApi = (): OpenApi.OpenAPISpec => {
  const document = OpenApi.fromApi(Api, { additionalPropertiesStrategy: "allow" })
  return {
    ...document,
    info: { title: "Trunkline", version: "1.0.0", description: "An embeddable voice-agent platform." },
    paths: Record.map(document.paths, describedPath),
    components: {
      schemas: Struct.omit(document.components.schemas, "HttpApiDecodeError", "Issue", "PropertyKey"),
      securitySchemes
    }
  }
}
