import { type HttpBody, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import type { Failure } from "@trunkline/errors"
import { BusinessTime, type Scope as Workspace } from "@trunkline/kernel"
import type { Principal } from "@trunkline/rate-limits"
import { Cause, Context, Effect, Either, Option, Schema, SchemaAST, Scope, type Stream } from "effect"
import { AuthenticatedCaller, WorkspaceCaller } from "./api/Admission.js"
import { type DeclaredRoute, declaredRoutes, MatchedRoute } from "./api/RouteTable.js"
import { failureOf } from "./Failures.js"
import { handlers } from "./Handlers.js"
import { partReader, strictQueryReader } from "./request/RequestValidation.js"
import type { HandlerServices, RouteHandler } from "./RouteHandlers.js"

/** Arguments of an operation. */
export interface OperationInput {
  readonly workspace: Workspace
  /** On whose account the operation runs. Nothing is authenticated: that is up to the host. */
  readonly caller: Principal
  /** Path parameters other than those of the workspace. */
  readonly path: Readonly<Record<string, string>>
  /** Parameters of the query, as they would be written in a URL. */
  readonly query: Readonly<Record<string, string | Array<string>>>
  /** Body: a JSON value, a form, or undefined. */
  readonly body: unknown
}

/** Result of an operation: a JSON value, or bytes at once or as they come. */
export type OperationResult =
  | { readonly _tag: "Value"; readonly value: unknown }
  | { readonly _tag: "Bytes"; readonly contentType: string; readonly bytes: Uint8Array }
  | { readonly _tag: "Stream"; readonly contentType: string; readonly bytes: Stream.Stream<Uint8Array, unknown> }

/** A route of the API that can be run without HTTP: with the same schemas, the same handler and the same failures. */
export interface Operation {
  /** Operation id in the declaration of the API, such as `campaigns.create`. */
  readonly name: string
  /** Names of the path parameters other than those of the workspace. */
  readonly parameters: ReadonlyArray<string>
  readonly body: "json" | "form" | "none"
  readonly hasQuery: boolean
  /** True for a list that is read page by page. */
  readonly isPaged: boolean
  /** Runs the operation. Its resources, such as the source of a stream, live as long as the scope. */
  readonly run: (input: OperationInput) => Effect.Effect<OperationResult, Failure, Scope.Scope>
}

/** Parameters that name the workspace. */
const workspaceParameters: ReadonlyArray<string> = ["org_id", "workspace_id"]

/** Completes when the caller loses its access: never, since the host is the caller. */
const neverRevoked = Effect.never

const decoder = new TextDecoder()

const parseJson = (bytes: Uint8Array): unknown => JSON.parse(decoder.decode(bytes))

/** Reads what a handler responded with. */
const resultOf = (body: HttpBody.HttpBody): OperationResult => {
  switch (body._tag) {
    case "Uint8Array":
      return body.contentType.startsWith("application/json")
        ? { _tag: "Value", value: parseJson(body.body) }
        : { _tag: "Bytes", contentType: body.contentType, bytes: body.body }
    case "Raw":
      return typeof body.body === "string"
        ? { _tag: "Value", value: JSON.parse(body.body) }
        : { _tag: "Value", value: undefined }
    case "Stream":
      return { _tag: "Stream", contentType: body.contentType, bytes: body.stream }
    default:
      return { _tag: "Value", value: undefined }
  }
}

/** Fails with the failure that a cause stands for; other causes stay defects or interruptions. */
const withFailure = (cause: Cause.Cause<unknown>): Effect.Effect<never, Failure> =>
  Option.match(failureOf(cause), {
    onSome: (failure) => Effect.fail(failure),
    onNone: () => Cause.isInterruptedOnly(cause) ? Effect.interrupt : Effect.die(Cause.squash(cause))
  })

const reader = (part: "path" | "body", schema: Option.Option<Schema.Schema<never, unknown>>) =>
  Option.match(schema, { onNone: () => () => Either.right(undefined), onSome: (schema) => partReader(part, schema) })

/** Compiles an operation from the declaration of its route and its handler. */
const makeOperation = (
  engine: Engine["Type"],
  { endpoint, info, success: { ast } }: DeclaredRoute,
  { readsBody, respond }: RouteHandler
): Operation => {
  const body = info.contentType === null
    ? "none"
    : info.contentType === "application/json"
    ? "json"
    : "form"
  const readPath = reader("path", endpoint.pathSchema)
  const readQuery = Option.match(endpoint.urlParamsSchema, {
    onNone: () => () => Either.right(undefined),
    onSome: strictQueryReader
  })
  const readBody = readsBody || body !== "json" ? () => Either.right(undefined) : reader("body", endpoint.payloadSchema)
  const encode = ast === undefined ? undefined : Schema.encodeUnknownSync(Schema.make<unknown, unknown>(ast))
  const origin = `http://trunkline.internal${info.path}`

  /** The request that a handler reads forms, event streams and links of pages from. */
  const requestOf = ({ body: value, query }: OperationInput): HttpServerRequest.HttpServerRequest => {
    const search = new URLSearchParams(
      Object.entries(query).flatMap(([name, given]) =>
        (Array.isArray(given) ? given : [given]).map((one): [string, string] => [name, one])
      )
    )
    const form = value instanceof FormData ? { body: value } : {}
    const request = HttpServerRequest.fromWeb(
      new Request(search.size === 0 ? origin : `${origin}?${search}`, { method: info.method, ...form })
    )
    return Object.create(request, { json: { value: Effect.succeed(value) } })
  }

  const run = (input: OperationInput) =>
    Effect.flatMap(Effect.scope, (scope) => {
      const { caller, path, query, workspace } = input
      const request = requestOf(input)
      const services = Context.empty().pipe(
        Context.add(HttpServerRequest.HttpServerRequest, request),
        Context.add(MatchedRoute, info),
        Context.add(BusinessTime, engine.time),
        Context.add(Scope.Scope, scope),
        Context.add(AuthenticatedCaller, { caller }),
        Context.add(WorkspaceCaller, { scope: workspace, caller, revoked: neverRevoked, actor: caller.label })
      )
      const reply: Effect.Effect<unknown, unknown, HandlerServices> = Effect.flatMap(
        Effect.all([readPath({ ...workspace, ...path }), readBody(input.body), readQuery(query)]),
        ([path, payload, urlParams]) => respond({ path, payload, urlParams, request })
      )
      return Effect.provide(reply, services)
    }).pipe(
      Effect.map((result): OperationResult =>
        HttpServerResponse.isServerResponse(result)
          ? resultOf(result.body)
          : { _tag: "Value", value: encode?.(result) }
      ),
      Effect.catchAllCause(withFailure)
    )

  const parameters = Array.from(info.path.matchAll(/:(\w+)/g), ([, name = ""]) => name)
    .filter((name) => !workspaceParameters.includes(name))
  const query = Option.toArray(endpoint.urlParamsSchema).flatMap(({ ast }) =>
    SchemaAST.getPropertySignatures(SchemaAST.encodedAST(ast)).map(({ name }) => String(name))
  )
  return {
    name: endpoint.name,
    parameters,
    body,
    hasQuery: query.length > 0,
    isPaged: query.includes("offset") || query.includes("after"),
    run
  }
}

/** Every route of the API as an operation on the engine. */
export const operations: Effect.Effect<ReadonlyArray<Operation>, never, Engine> = Effect.zipWith(
  Engine,
  handlers,
  (engine, handlers) =>
    declaredRoutes.flatMap((declaredRoute) => {
      const handler = handlers.find(({ name }) => name === declaredRoute.endpoint.name)
      return handler === undefined ? [] : [makeOperation(engine, declaredRoute, handler)]
    })
)
