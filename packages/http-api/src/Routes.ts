import { HttpApiSchema, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import type { Engine } from "@trunkline/engine"
import type { Family } from "@trunkline/errors"
import { flatMapNow, jsonWriter } from "@trunkline/kernel"
import { Effect, Option, Schema, type Scope } from "effect"
import { make as makeRouter } from "find-my-way-ts"
import { admissionsOf, type Admit } from "./admission/AdmissionLive.js"
import { familyOf, pathOf } from "./api/Paths.js"
import { type DeclaredRoute, declaredRoutes, isShadowed, type RouteInfo } from "./api/RouteTable.js"
import { cachedReader } from "./request/CachedReader.js"
import { withJsonBody } from "./request/JsonBody.js"
import {
  noQuery,
  type PartReader,
  partReader,
  type QueryParameters,
  queryReader,
  strictQueryReader
} from "./request/RequestValidation.js"
import { jsonResponse } from "./response/JsonResponse.js"
import type { HandlerServices, RouteHandler } from "./RouteHandlers.js"

/** A request of a route, before its parts are decoded. */
export interface RoutedRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: QueryParameters
  /** Services of the request by their keys; admission adds its own. */
  readonly services: Map<string, unknown>
  /** Scope that ends after the response. */
  readonly scope: Scope.Scope
}

/** A route that is ready to respond: readers of the parts of a request, admission, handler and writer. */
export interface Route {
  readonly info: RouteInfo
  /** Envelope of its failures. */
  readonly failures: Family
  /** True when a path of the route may belong to a route with a fixed segment in place of its parameter. */
  readonly isShadowed: boolean
  /** Checks a request in the order of docs/architecture.md, and responds to it. */
  readonly respond: (
    routedRequest: RoutedRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, HandlerServices>
}

/** Reads a part that the route does not declare. */
const nothing: PartReader = () => Effect.succeed(undefined)

const readerOf = (part: "path" | "body", schema: Option.Option<Schema.Schema<never, unknown>>): PartReader =>
  Option.match(schema, { onNone: () => nothing, onSome: (schema) => partReader(part, schema) })

/** Query of a URL as it was sent. */
const queryText = (url: string): string => url.slice(pathOf(url).length)

/** Makes the function that turns the result of a handler into a response. */
const responder = ({ success: { ast, status } }: DeclaredRoute) => {
  const write = ast === undefined || HttpApiSchema.getEncoding(ast).kind !== "Json"
    ? undefined
    : jsonWriter(Schema.make(ast))
  const empty = HttpServerResponse.empty({ status })
  return (result: unknown): HttpServerResponse.HttpServerResponse =>
    HttpServerResponse.isServerResponse(result)
      ? result
      : write === undefined
      ? empty
      : jsonResponse(write(result), status)
}

/** Compiles a route. `admissions` are by the key of the middleware that declares them. */
const compileRoute = (
  declaredRoute: DeclaredRoute,
  { readsBody, respond: handle }: RouteHandler,
  admissions: ReadonlyMap<string, Admit>
): Route => {
  const { endpoint, info } = declaredRoute
  const { failures, keys: family } = familyOf(info.path)
  const [admit] = Array.from(declaredRoute.admissions, ({ key }) => admissions.get(key))
  // Clients of models send parameters of their own, and what watches a server is no client of the API.
  const isStrict = admit !== undefined && failures !== "chat" && failures !== "responses"
  const readPath = readerOf("path", endpoint.pathSchema)
  const readQuery = cachedReader(
    Option.match(endpoint.urlParamsSchema, {
      onNone: () => isStrict ? noQuery : nothing,
      onSome: isStrict ? strictQueryReader : queryReader
    })
  )
  const hasJsonBody = info.contentType === "application/json"
  const readBody = readsBody || !hasJsonBody ? nothing : readerOf("body", endpoint.payloadSchema)
  const toResponse = responder(declaredRoute)

  const respond = ({ params, query, request: plain, scope, services }: RoutedRequest) => {
    const request = hasJsonBody ? withJsonBody(plain, info, scope) : plain
    services.set(HttpServerRequest.HttpServerRequest.key, request)
    const readPayload = readBody === nothing
      ? Effect.succeed(undefined)
      : Effect.flatMap(Effect.orDie(request.json), readBody)
    const handleRequest = () =>
      flatMapNow(
        readPath(params),
        (path) =>
          flatMapNow(
            readPayload,
            (payload) =>
              flatMapNow(
                readQuery(queryText(plain.url), query),
                (urlParams) => Effect.map(handle({ path, payload, urlParams, request }), toResponse)
              )
          )
      )
    return Effect.suspend(() =>
      admit === undefined
        ? handleRequest()
        : flatMapNow(admit({ headers: plain.headers, info, family, params, services }), handleRequest)
    )
  }

  return { info, failures, isShadowed: isShadowed(info), respond }
}

/** Paths are matched exactly. The schemas of path parameters limit their length, not the router. */
const routerConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: Number.MAX_SAFE_INTEGER
}

/** Finds the route of a request; HEAD is answered by GET. */
export type FindRoute = (
  method: string,
  url: string
) => ({ readonly route: Route } & Pick<RoutedRequest, "params" | "query">) | undefined

/** Compiles every route of the API into one table. A route without a handler is a defect. */
export const compileRoutes = (engine: Engine["Type"], handlers: ReadonlyArray<RouteHandler>): FindRoute => {
  const admissions = admissionsOf(engine)
  const router = makeRouter<Route>(routerConfig)
  for (const declaredRoute of declaredRoutes) {
    const handler = handlers.find(({ name }) => name === declaredRoute.endpoint.name)
    if (handler === undefined) throw new Error(`${declaredRoute.endpoint.name} has no handler`)
    router.on(declaredRoute.info.method, declaredRoute.info.path, compileRoute(declaredRoute, handler, admissions))
  }
  return (method, url) => {
    const match = router.find(method, url) ?? (method === "HEAD" ? router.find("GET", url) : undefined)
    return match && { route: match.handler, params: match.params, query: match.searchParams }
  }
}
