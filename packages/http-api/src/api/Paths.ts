import { type HttpApp, HttpServerRequest } from "@effect/platform"
import type { Family } from "@trunkline/errors"
import type { RouteFamily } from "@trunkline/rate-limits"
import { Effect } from "effect"
import { isRoute } from "./RouteTable.js"

/** Conventions that the paths under one prefix share. */
export interface PathFamily {
  /** Envelope of failures. */
  readonly failures: Family
  /** Headers that may hold the key. */
  readonly keys: RouteFamily
}

const families: ReadonlyArray<PathFamily & { readonly prefix: string }> = [
  { prefix: "/v1/orgs/", failures: "org", keys: "orgs" },
  { prefix: "/analytics/v1/", failures: "org", keys: "analytics" },
  { prefix: "/api/analytics/v1/", failures: "boards", keys: "boards" },
  { prefix: "/v1/chat/", failures: "chat", keys: "main" },
  { prefix: "/v2/chat/", failures: "chat", keys: "main" },
  { prefix: "/v1/models", failures: "chat", keys: "main" },
  { prefix: "/v2/models", failures: "chat", keys: "main" },
  { prefix: "/v2/responses", failures: "responses", keys: "main" },
  { prefix: "/voices", failures: "voices", keys: "main" }
]

/** Family of a path, whether or not a route exists there. Paths outside of every prefix belong to `org`. */
export const familyOf = (path: string): PathFamily =>
  families.find(({ prefix }) => path.startsWith(prefix)) ?? { failures: "org", keys: "orgs" }

/**
 * Format of the failure of a request that no route takes. The 404 of a path without a route is that of chat, except below the
 * boards' prefix: it has all that others have, and what the clients of models expect whose base URL is wrong.
 */
export const unroutedFamily = (path: string): Family => {
  const family = families.find(({ prefix }) => path.startsWith(prefix))?.failures ?? "chat"
  return isRoute(path) || family === "boards" || family === "responses" ? family : "chat"
}

const pathPattern = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#;]*)?([^?#;]*)/i

/** Path of an absolute or relative URL as it was sent: percent-encoded, without the query. */
export const pathOf = (url: string): string => pathPattern.exec(url)?.[1] || "/"

/** Normalizes a path prefix: one slash before each segment, none at the end; empty for the root. */
export const normalizePrefix = (prefix: string): string =>
  prefix.split("/").filter(Boolean).map((segment) => `/${segment}`).join("")

const originPattern = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i

/** Removes the prefix from an absolute or relative URL; undefined when the URL is not under the prefix. */
const stripPrefix = (prefix: string, url: string): string | undefined => {
  const target = url.replace(originPattern, "")
  if (!target.startsWith(prefix)) return undefined
  const rest = target.slice(prefix.length)
  return rest === "" || rest.startsWith("?") ? `/${rest}` : rest.startsWith("/") ? rest : undefined
}

/** True when an absolute or relative URL is a route of the API under the prefix. Adapters leave all others to their host. */
export const isApiUrl = (prefix: string, url: string): boolean => {
  const path = stripPrefix(prefix, url)
  return path !== undefined && isRoute(pathOf(path))
}

/**
 * Serves the application under a path prefix such as `/voice`. Pagination links keep the prefix. URLs outside of the
 * prefix are treated as its root, which has no route.
 */
export const mountAt = <E, R>(
  app: HttpApp.Default<E, R>,
  prefixOf: (request: HttpServerRequest.HttpServerRequest) => string
): HttpApp.Default<E, R> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const prefix = prefixOf(request)
    if (prefix === "") return app
    const url = stripPrefix(prefix, request.url) ?? "/"
    return Effect.provideService(app, HttpServerRequest.HttpServerRequest, request.modify({ url }))
  })
