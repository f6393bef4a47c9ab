import { HttpApi } from "@effect/platform"
import type { Importance, LimitedApi } from "@trunkline/rate-limits"
import { Context, Option } from "effect"
import { Api } from "./Api.js"
import { BodyIsOptional, BodyLimit, type BodySize, LimitedBy, RouteImportance } from "./RouteDeclaration.js"

/** Declared properties of a route. */
export interface RouteInfo {
  readonly method: string
  /** Path with its parameters, such as `/boards/:board_id`. */
  readonly path: string
  /** Rate limit that requests count against; null for none. */
  readonly api: LimitedApi | null
  readonly importance: Importance
  /** Content type of the body; null for a route without a body. */
  readonly contentType: string | null
  /** Largest accepted body. */
  readonly bodyLimit: BodySize
  /** True when a missing body counts as an empty object. */
  readonly bodyIsOptional: boolean
}

/** Every route, in the order of declaration. */
const routes: ReadonlyArray<RouteInfo> = (() => {
  const found: Array<RouteInfo> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint: { method, path }, mergedAnnotations, payloads }) => {
      const [contentType = null] = payloads.keys()
      const api = Context.get(mergedAnnotations, LimitedBy)
      const importance = Context.get(mergedAnnotations, RouteImportance)
      const bodyLimit = Context.get(mergedAnnotations, BodyLimit)
      const bodyIsOptional = Context.get(mergedAnnotations, BodyIsOptional)
      found.push({ method, path, api, importance, contentType, bodyLimit, bodyIsOptional })
    }
  })
  return found
})()

const routeKey = ({ method, path }: Pick<RouteInfo, "method" | "path">) => `${method} ${path}`

const byKey = new Map(routes.map((route) => [routeKey(route), route]))

/** Looks up the declared properties of a matched route. */
export const routeInfo = (route: Pick<RouteInfo, "method" | "path">): Option.Option<RouteInfo> =>
  Option.fromNullable(byKey.get(routeKey(route)))

const patterns = routes.map(({ method, path }) => ({
  method,
  path,
  pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]*")}$`)
}))

/** Decodes needless percent-encoding, as the router does before it compares paths. */
const decodePath = (path: string): string => {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/**
 * Routes with a fixed segment where another route has a parameter, such as `/voices/clone` beside `/voices/:voice_id`.
 * When only the other route has the method of a request, the router takes the segment for its parameter.
 */
const shadowingRoutes = patterns.filter(({ path }) =>
  patterns.some((other) => other.path !== path && other.pattern.test(path))
)

const methodsIn = (among: typeof patterns, path: string): ReadonlyArray<string> => {
  const methods = among.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  return Array.from(new Set(methods.includes("GET") ? [...methods, "HEAD"] : methods)).sort()
}

/**
 * Methods of a fixed path that the router could take for another route's parameter, in alphabetical order; empty for
 * every other path.
 */
export const methodsOfShadowing = (path: string): ReadonlyArray<string> => methodsIn(shadowingRoutes, decodePath(path))

/** Methods of a path, in alphabetical order; HEAD comes with GET. Empty when no route has the path. */
export const methodsOf = (path: string): ReadonlyArray<string> => {
  const own = methodsOfShadowing(path)
  return own.length > 0 ? own : methodsIn(patterns, decodePath(path))
}

/** True when a path, as it was sent and without the query, belongs to a route of the API. */
export const isRoute = (path: string): boolean => methodsOf(path).length > 0
