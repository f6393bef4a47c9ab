import type { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpServerRequest } from "@effect/platform"
import type { Engine } from "@trunkline/engine"
import type { BusinessTime } from "@trunkline/kernel"
import { Effect, type Scope } from "effect"
import type { AuthenticatedCaller, WorkspaceCaller } from "./api/Admission.js"
import type { Api } from "./api/Api.js"
import type { MatchedRoute } from "./api/RouteTable.js"

/** Decoded parts of a request. A part that the route does not declare is undefined. */
export interface RouteInput {
  readonly path: unknown
  readonly payload: unknown
  readonly urlParams: unknown
  readonly request: HttpServerRequest.HttpServerRequest
}

/** Services of the current request that every handler can use. */
type RequestServices = HttpServerRequest.HttpServerRequest | MatchedRoute | BusinessTime | Scope.Scope

/** Services of a request of any route, with those that its admission provides. */
export type HandlerServices = RequestServices | WorkspaceCaller | AuthenticatedCaller

/** The handler of one route. */
export interface RouteHandler {
  /** Operation id of the route. */
  readonly name: string
  /** True when the handler reads the body itself. */
  readonly readsBody: boolean
  /** Responds to a request whose parts were decoded as the route declares. */
  respond(input: RouteInput): Effect.Effect<unknown, unknown, HandlerServices>
}

/** Handler in the types of its route. */
type TypedHandler = (input: never) => Effect.Effect<unknown, unknown, HandlerServices>

/** Handlers of the routes of a group; `Missing` are the routes without a handler. */
class RouteHandlers<Missing extends HttpApiEndpoint.HttpApiEndpoint.Any, E, R extends HandlerServices> {
  declare readonly missing: Missing

  constructor(readonly all: ReadonlyArray<RouteHandler>) {}

  /** Adds the handler of a route, typed as the route is declared. */
  handle<Name extends HttpApiEndpoint.HttpApiEndpoint.Name<Missing>>(
    name: Name,
    respond: HttpApiEndpoint.HttpApiEndpoint.HandlerWithName<Missing, Name, E, R>
  ): RouteHandlers<HttpApiEndpoint.HttpApiEndpoint.ExcludeName<Missing, Name>, E, R>
  handle(name: string, respond: TypedHandler): RouteHandlers<never, E, R> {
    return new RouteHandlers([...this.all, { name, readsBody: false, respond }])
  }

  /** Adds the handler of a route that reads the body of its request itself. */
  handleRaw<Name extends HttpApiEndpoint.HttpApiEndpoint.Name<Missing>>(
    name: Name,
    respond: HttpApiEndpoint.HttpApiEndpoint.HandlerRawWithName<Missing, Name, E, R>
  ): RouteHandlers<HttpApiEndpoint.HttpApiEndpoint.ExcludeName<Missing, Name>, E, R>
  handleRaw(name: string, respond: TypedHandler): RouteHandlers<never, E, R> {
    return new RouteHandlers([...this.all, { name, readsBody: true, respond }])
  }
}

type Groups = typeof Api extends HttpApi.HttpApi<infer _Id, infer Groups, infer _E, infer _R> ? Groups : never

type GroupNamed<Name extends string> = HttpApiGroup.HttpApiGroup.WithName<Groups, Name>

type ErrorOf<Name extends string> = HttpApiGroup.HttpApiGroup.Error<GroupNamed<Name>>

type ServicesOf<Name extends string> =
  | RequestServices
  | Extract<HttpApiGroup.HttpApiGroup.Provides<GroupNamed<Name>>, HandlerServices>

type EndpointsOf<Name extends string> = HttpApiGroup.HttpApiGroup.Endpoints<GroupNamed<Name>>

/** Handlers that are made from an engine. */
export type HandlersOfEngine = Effect.Effect<ReadonlyArray<RouteHandler>, never, Engine>

/**
 * Makes the handlers of a group of routes, in the types that the group declares. A route without a handler is a type
 * error.
 *
 * @example
 * ```ts
 * const erasure = routeHandlers("erasure", (handlers) =>
 *   Effect.map(Engine, ({ erasure }) =>
 *     handlers.handle("erasures.create", ({ payload }) => withScope((scope) => erasure.user(scope, payload.user_identifier)))))
 * ```
 */
export const routeHandlers = <const Name extends HttpApiGroup.HttpApiGroup.Name<Groups>>(
  _group: Name,
  build: (
    handlers: RouteHandlers<EndpointsOf<Name>, ErrorOf<Name>, ServicesOf<Name>>
  ) => Effect.Effect<RouteHandlers<never, ErrorOf<Name>, ServicesOf<Name>>, never, Engine>
): HandlersOfEngine =>
  Effect.map(
    build(new RouteHandlers<EndpointsOf<Name>, ErrorOf<Name>, ServicesOf<Name>>([])),
    ({ all }) => all
  )

/** Joins the handlers of several groups. */
export const mergeHandlers = (...handlers: ReadonlyArray<HandlersOfEngine>): HandlersOfEngine =>
  Effect.map(Effect.all(handlers), (lists) => lists.flat())
