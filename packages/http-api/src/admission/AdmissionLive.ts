import { type Headers, HttpRouter, HttpServerRequest } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { BodyTooLarge, Invalid, issuesOf, UnsupportedContentType } from "@trunkline/errors"
import { Scope } from "@trunkline/kernel"
import type { PresentedKeys } from "@trunkline/rate-limits"
import { Effect, Either, Layer, Schedule, Schema } from "effect"
import { familyOf } from "../Paths.js"
import { type RouteInfo, routeInfo } from "../RouteTable.js"
import { BoardsAdmission, KeyAdmission, VoicesAdmission, WorkspaceAdmission } from "./Admission.js"

/** Interval at which the key of a long-lived response is checked again; `Keys` caches lookups for 4 seconds. */
const recheckInterval = "750 millis"

const bearerPattern = /^bearer +(\S.*)$/i

/** Reads the API keys from the headers of a request. */
export const presentedKeys = (headers: Headers.Headers): PresentedKeys => ({
  subscriptionKey: headers["api-subscription-key"] ?? null,
  bearer: bearerPattern.exec(headers["authorization"] ?? "")?.[1] ?? null,
  xApiKey: headers["x-api-key"] ?? null
})

const checkSize = (headers: Headers.Headers, { bodyLimit }: RouteInfo) =>
  Number(headers["content-length"] ?? 0) > bodyLimit.bytes
    ? new BodyTooLarge({ limitBytes: bodyLimit.bytes })
    : Effect.void

/** Checks the content type of the body. A missing type counts as JSON; compressed bodies are rejected. */
export const checkContentType = (headers: Headers.Headers, { contentType }: RouteInfo) => {
  const [sent = ""] = (headers["content-type"] ?? "application/json").split(";")
  const encoding = headers["content-encoding"] ?? "identity"
  return contentType === null || (sent.trim().toLowerCase() === contentType && encoding === "identity")
    ? Effect.void
    : new UnsupportedContentType({ supported: [contentType] })
}

const decodeScope = Schema.decodeUnknownEither(Scope, { errors: "all" })

const scopeOf = (params: HttpRouter.RouteContext["params"]) =>
  Either.mapLeft(decodeScope(params), (error) => new Invalid({ issues: issuesOf(error, "path") }))

/** Looks up the matched route and checks the declared size of the body. */
const matchedRoute = Effect.gen(function*() {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const { params, route } = yield* HttpRouter.RouteContext
  const info = yield* Effect.orDie(routeInfo(route))
  yield* checkSize(headers, info)
  return { headers, params, info }
})

const admitToWorkspace = Effect.map(Engine, ({ keys, limits, load }) =>
  Effect.gen(function*() {
    const { info, headers, params } = yield* matchedRoute
    const authenticate = keys.authenticate(presentedKeys(headers), familyOf(info.path).keys)
    const caller = yield* authenticate
    const scope = yield* scopeOf(params)
    yield* keys.admit(caller, scope)
    yield* load.admit(info.importance)
    if (info.api !== null) yield* limits.spend({ who: { ...caller, scope }, api: info.api })
    yield* checkContentType(headers, info)
    const revoked = Effect.ignore(Effect.repeat(authenticate, Schedule.spaced(recheckInterval)))
    return { scope, caller, revoked, actor: caller.label }
  }))

/** Authenticates requests outside of any workspace. */
const admitByKey = Effect.map(Engine, ({ keys, load }) =>
  Effect.gen(function*() {
    const { info, headers } = yield* matchedRoute
    const caller = yield* keys.authenticate(presentedKeys(headers), familyOf(info.path).keys)
    yield* load.admit(info.importance)
    return { caller, info, headers }
  }))

const admitToVoices = Effect.zipWith(admitByKey, Engine, (admitByKey, { limits }) =>
  Effect.gen(function*() {
    const { caller, info, headers } = yield* admitByKey
    if (info.api !== null) yield* limits.spend({ who: caller, api: info.api })
    yield* checkContentType(headers, info)
    return { caller }
  }))

/** Admission by the keys, load shedding and rate limits of the engine. */
export const admissionLive = Layer.mergeAll(
  Layer.effect(WorkspaceAdmission, admitToWorkspace),
  Layer.effect(BoardsAdmission, admitToWorkspace),
  Layer.effect(KeyAdmission, admitByKey),
  Layer.effect(VoicesAdmission, admitToVoices)
)
