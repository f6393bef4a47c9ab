import type { OpenApi } from "@effect/platform"

/** Headers that hold keys. */
export const securitySchemes: Record<string, OpenApi.OpenAPISecurityScheme> = {
  subscriptionKey: { type: "apiKey", in: "header", name: "api-subscription-key" },
  bearer: { type: "http", scheme: "bearer" },
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key" }
}

const requiring = (...names: ReadonlyArray<string>) => names.map((name) => ({ [name]: [] }))

/** Headers that may hold the key, by group, the preferred one first. Groups that are not listed use `workspaceKeys`. */
const keys: Readonly<Record<string, OpenApi.OpenAPISpecOperation["security"]>> = (() => {
  const withoutXApiKey = requiring("subscriptionKey", "bearer")
  const boards = requiring("apiKey", "subscriptionKey", "bearer")
  return {
    service: [],
    browserCalls: [],
    carrierEvents: [],
    // An empty requirement makes the key optional.
    models: [{}, ...withoutXApiKey],
    chat: withoutXApiKey,
    responses: withoutXApiKey,
    voices: withoutXApiKey,
    boards,
    queries: boards,
    notifications: boards
  }
})()

const workspaceKeys = requiring("subscriptionKey", "apiKey", "bearer")

/** Headers that may hold the key of an operation. */
export const securityOf = ({ tags }: OpenApi.OpenAPISpecOperation): OpenApi.OpenAPISpecOperation["security"] =>
  keys[tags[0]] ?? workspaceKeys
