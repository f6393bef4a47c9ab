import { type Headers, HttpRouter, HttpServerRequest } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { BodyTooLarge, Invalid, issuesOf, UnsupportedContentType } from "@trunkline/errors"
import { Scope } from "@trunkline/kernel"
import type { PresentedKeys } from "@trunkline/rate-limits"
import { Effect, Either, Layer, Schedule, Schema } from "effect"
import { Admission, BoardsAdmission, KeyAdmission, VoicesAdmission } from "../Admission.js"
import { familyOf } from "../Families.js"
import { factsOf, type RouteFacts } from "../RouteTable.js"

/** How often a key is looked at again while its answer lasts; `Keys` remembers for 4 seconds. */
const checkEvery = "750 millis"

const bearerPattern = /^bearer +(\S.*)$/i

/** The keys that a request presents. */
export const presentedBy = (headers: Headers.Headers): PresentedKeys => ({
  subscriptionKey: headers["api-subscription-key"] ?? null,
  bearer: bearerPattern.exec(headers["authorization"] ?? "")?.[1] ?? null,
  xApiKey: headers["x-api-key"] ?? null
})

const checkSize = (headers: Headers.Headers, { largest }: RouteFacts) =>
  Number(headers["content-length"] ?? 0) > largest.bytes
    ? new BodyTooLarge({ limitBytes: largest.bytes })
    : Effect.void

/** A body without a content type is taken for JSON. Compressed ones are not read. */
export const checkContentType = (headers: Headers.Headers, { contentType }: RouteFacts) => {
  const [sent = ""] = (headers["content-type"] ?? "application/json").split(";")
  const encoding = headers["content-encoding"] ?? "identity"
  return contentType === null || (sent.trim().toLowerCase() === contentType && encoding === "identity")
    ? Effect.void
    : new UnsupportedContentType({ supported: [contentType] })
}

const decodeScope = Schema.decodeUnknownEither(Scope, { errors: "all" })

const scopeOf = (params: HttpRouter.RouteContext["params"]) =>
  Either.mapLeft(decodeScope(params), (error) => new Invalid({ issues: issuesOf(error, "path") }))

const arrival = Effect.gen(function*() {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const { params, route } = yield* HttpRouter.RouteContext
  const facts = yield* Effect.orDie(factsOf(route))
  yield* checkSize(headers, facts)
  return { headers, params, facts }
})

const inWorkspace = Effect.map(Engine, ({ keys, limits, load }) =>
  Effect.gen(function*() {
    const { facts, headers, params } = yield* arrival
    const authenticate = keys.authenticate(presentedBy(headers), familyOf(facts.path).keys)
    const caller = yield* authenticate
    const scope = yield* scopeOf(params)
    yield* keys.admit(caller, scope)
    yield* load.admit(facts.importance)
    if (facts.api !== null) yield* limits.spend({ who: { ...caller, scope }, api: facts.api })
    yield* checkContentType(headers, facts)
    const revoked = Effect.ignore(Effect.repeat(authenticate, Schedule.spaced(checkEvery)))
    return { scope, caller, revoked, actor: caller.label }
  }))

/** The key and the time for a route that belongs to no workspace. */
const byKey = Effect.map(Engine, ({ keys, load }) =>
  Effect.gen(function*() {
    const { facts, headers } = yield* arrival
    const caller = yield* keys.authenticate(presentedBy(headers), familyOf(facts.path).keys)
    yield* load.admit(facts.importance)
    return { caller, facts, headers }
  }))

const forVoices = Effect.zipWith(byKey, Engine, (byKey, { limits }) =>
  Effect.gen(function*() {
    const { caller, facts, headers } = yield* byKey
    if (facts.api !== null) yield* limits.spend({ who: caller, api: facts.api })
    yield* checkContentType(headers, facts)
    return { caller }
  }))

/** Lets requests in by the engine's keys and limits. */
export const admission = Layer.mergeAll(
  Layer.effect(Admission, inWorkspace),
  Layer.effect(BoardsAdmission, inWorkspace),
  Layer.effect(KeyAdmission, byKey),
  Layer.effect(VoicesAdmission, forVoices)
)
