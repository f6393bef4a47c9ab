import { HttpApi, type HttpApiEndpoint, type HttpApiMiddleware, type HttpMethod } from "@effect/platform"
import type { Role } from "@trunkline/engine"
import type { Importance, LimitedApi } from "@trunkline/rate-limits"
import { Context, Option, type SchemaAST } from "effect"
import { Api } from "./Api.js"
import { BodyIsOptional, BodyLimit, type BodySize, LimitedBy, RouteImportance, RouteRole } from "./RouteDeclaration.js"

/** Declared properties of a route. */
export interface RouteInfo {
  readonly method: HttpMethod.HttpMethod
  /** Path with its parameters, such as `/boards/:board_id`. */
  readonly path: HttpApiEndpoint.HttpApiEndpoint<string, HttpMethod.HttpMethod>["path"]
  /** Rate limit that requests count against; null for none. */
  readonly api: LimitedApi | null
  readonly importance: Importance
  /** Content type of the body; null for a route without a body. */
  readonly contentType: string | null
  /** Largest accepted body. */
  readonly bodyLimit: BodySize
  /** True when a missing body counts as an empty object. */
  readonly bodyIsOptional: boolean
  /** Role of the processes that answer it; null for all of them. */
  readonly role: Role | null
}

/** The route that the current request matched. */
export class MatchedRoute extends Context.Tag("@trunkline/http-api/MatchedRoute")<MatchedRoute, RouteInfo>() {}

/** A route with the parts of its declaration that are compiled when the application starts. */
export interface DeclaredRoute {
  readonly info: RouteInfo
  readonly endpoint: HttpApiEndpoint.HttpApiEndpoint<string, HttpMethod.HttpMethod>
  /** Middlewares that admit its requests. */
  readonly admissions: ReadonlySet<HttpApiMiddleware.TagClassAny>
  /** Status of a success, and the schema of its body; undefined for none. */
  readonly success: { readonly status: number; readonly ast: SchemaAST.AST | undefined }
}

/** Every route, in the order of declaration. */
export const declaredRoutes: ReadonlyArray<DeclaredRoute> = (() => {
  const routes: Array<DeclaredRoute> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, mergedAnnotations, middleware, payloads, successes }) => {
      const [contentType = null] = payloads.keys()
      const [[status, { ast }] = [204, { ast: Option.none<SchemaAST.AST>() }]] = successes
      const info = {
        method: endpoint.method,
        path: endpoint.path,
        api: Context.get(mergedAnnotations, LimitedBy),
        importance: Context.get(mergedAnnotations, RouteImportance),
        contentType,
        bodyLimit: Context.get(mergedAnnotations, BodyLimit),
        bodyIsOptional: Context.get(mergedAnnotations, BodyIsOptional),
        role: Context.get(mergedAnnotations, RouteRole)
      }
      const success = { status, ast: Option.getOrUndefined(ast) }
      routes.push({ info, endpoint, admissions: middleware, success })
    }
  })
  return routes
})()

const patternOf = (path: string) => `^${path.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]*")}$`

const patterns = declaredRoutes.map(({ info: { method, path } }) => ({
  method,
  path,
  pattern: new RegExp(patternOf(path))
}))

const anyPattern = new RegExp(Array.from(new Set(patterns.map(({ pattern }) => pattern.source))).join("|"))

/** Decodes needless percent-encoding, as the router does before it compares paths. */
const decodePath = (path: string): string => {
  if (!path.includes("%")) return path
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

/** True when a path of the route may belong to a route with a fixed segment in place of its parameter. */
export const isShadowed = ({ path }: Pick<RouteInfo, "path">): boolean => {
  const pattern = new RegExp(patternOf(path))
  return shadowingRoutes.some((other) => other.path !== path && pattern.test(other.path))
}

const methodsIn = (among: typeof patterns, path: string): ReadonlyArray<string> => {
  const methods = among.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  return Array.from(new Set<string>(methods.includes("GET") ? [...methods, "HEAD"] : methods)).sort()
}

/**
 * Methods of a fixed path that the router could take for another route's parameter, in alphabetical order; empty for
 * every other path.
 */
export const methodsOfShadowing = (path: string): ReadonlyArray<string> => methodsIn(shadowingRoutes, decodePath(path))

/** Methods of a path, in alphabetical order; HEAD comes with GET. Empty when no route has the path. */
export const methodsOf = (path: string): ReadonlyArray<string> => {
  const ownMethods = methodsOfShadowing(path)
  return ownMethods.length > 0 ? ownMethods : methodsIn(patterns, decodePath(path))
}

/** True when a path, as it was sent and without the query, belongs to a route of the API. */
export const isRoute = (path: string): boolean => anyPattern.test(decodePath(path))
