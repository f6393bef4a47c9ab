import { HttpApi } from "@effect/platform"
import type { Importance, LimitedApi } from "@trunkline/rate-limits"
import { Context, Option } from "effect"
import { Api } from "./Api.js"
import { BodyIsOptional, type BodySize, LargestBody, LimitedBy, Matters } from "./RouteAnnotations.js"

/** What is known of a route before it is asked for. */
export interface RouteFacts {
  readonly method: string
  /** The path with its parameters, such as `/boards/:board_id`. */
  readonly path: string
  /** The family whose allowance a request takes from; null when it takes from none. */
  readonly api: LimitedApi | null
  readonly importance: Importance
  /** The content type of the body that it reads; null when it reads none. */
  readonly contentType: string | null
  /** The largest body that it reads. */
  readonly largest: BodySize
  /** Whether no body is an empty object. */
  readonly optionalBody: boolean
}

/** Every route, in the order of the declaration. */
export const routes: ReadonlyArray<RouteFacts> = (() => {
  const found: Array<RouteFacts> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint: { method, path }, mergedAnnotations, payloads }) => {
      const [contentType = null] = payloads.keys()
      const api = Context.get(mergedAnnotations, LimitedBy)
      const importance = Context.get(mergedAnnotations, Matters)
      const largest = Context.get(mergedAnnotations, LargestBody)
      const optionalBody = Context.get(mergedAnnotations, BodyIsOptional)
      found.push({ method, path, api, importance, contentType, largest, optionalBody })
    }
  })
  return found
})()

const routeKey = ({ method, path }: Pick<RouteFacts, "method" | "path">) => `${method} ${path}`

const byKey = new Map(routes.map((route) => [routeKey(route), route]))

/** What is known of the route that a request was matched with. */
export const factsOf = (route: Pick<RouteFacts, "method" | "path">): Option.Option<RouteFacts> =>
  Option.fromNullable(byKey.get(routeKey(route)))

const patterns = routes.map(({ method, path }) => ({
  method,
  path,
  pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]*")}$`)
}))

/** A path as the router compares it: what is percent-encoded without need counts as what it stands for. */
const readable = (path: string): string => {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/**
 * Routes that have a name where another one has a parameter, such as `/voices/clone` beside `/voices/:voice_id`. The
 * router takes the name for the parameter when the request's method is the other route's.
 */
const named = patterns.filter(({ path }) => patterns.some((other) => other.path !== path && other.pattern.test(path)))

const methodsIn = (among: typeof patterns, path: string): ReadonlyArray<string> => {
  const methods = among.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  return Array.from(new Set(methods.includes("GET") ? [...methods, "HEAD"] : methods)).sort()
}

/**
 * The methods that a path takes where it is a route's own name that the router could take for a parameter, in
 * alphabetical order; none for every other path.
 */
export const methodsOfName = (path: string): ReadonlyArray<string> => methodsIn(named, readable(path))

/** The methods that a path takes, in alphabetical order; none when no route has it. GET brings HEAD along. */
export const methodsOf = (path: string): ReadonlyArray<string> => {
  const own = methodsOfName(path)
  return own.length > 0 ? own : methodsIn(patterns, readable(path))
}

/** Whether a path, as it was sent and without a query, is one of the API's: adapters leave all others to their host. */
export const isRoute = (path: string): boolean => methodsOf(path).length > 0
