import { type Headers, HttpRouter, HttpServerRequest } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import type {
  BodyTooLarge,
  Invalid,
  InvalidApiKey,
  NotAllowed,
  Overloaded,
  RateLimited,
  UnsupportedContentType
} from "@trunkline/errors"
import type { Scope } from "@trunkline/kernel"
import type { Caller } from "@trunkline/rate-limits"
import { type Context, Effect, Either, Layer, Schedule } from "effect"
import { familyOf } from "../Paths.js"
import { type RouteInfo, routeInfo } from "../RouteTable.js"
import { BoardsAdmission, KeyAdmission, VoicesAdmission, WorkspaceAdmission } from "./Admission.js"
import { checkContentType, checkSize, presentedKeys, scopeOf } from "./AdmissionChecks.js"

/** Interval at which the key of a long-lived response is checked again; `Keys` caches lookups for 4 seconds. */
const recheckInterval = "750 millis"

/** A request before its admission. */
interface AdmissionRequest {
  readonly headers: Headers.Headers
  readonly info: RouteInfo
  readonly params: HttpRouter.RouteContext["params"]
}

/** A caller who was admitted to a workspace. */
interface AdmittedCaller {
  readonly caller: Caller
  readonly scope: Scope
}

type Admission = Pick<Context.Tag.Service<Engine>, "keys" | "limits" | "load">

/**
 * The outcome of `WorkspaceAdmission` where it needs no waiting: the same checks in the same order. Otherwise undefined;
 * nothing was counted then, so admit by the effect.
 */
const admitToWorkspaceNow = (
  { keys, limits, load }: Admission,
  { headers, info, params }: AdmissionRequest
):
  | Either.Either<
    AdmittedCaller,
    BodyTooLarge | InvalidApiKey | Invalid | NotAllowed | Overloaded | RateLimited | UnsupportedContentType
  >
  | undefined =>
{
  const sized = checkSize(headers, info)
  if (Either.isLeft(sized)) return Either.left(sized.left)
  const authenticated = keys.authenticateNow(presentedKeys(headers), familyOf(info.path).keys)
  if (authenticated === undefined || Either.isLeft(authenticated)) {
    return authenticated && Either.left(authenticated.left)
  }
  const caller = authenticated.right
  const scoped = scopeOf(params)
  if (Either.isLeft(scoped)) return Either.left(scoped.left)
  const scope = scoped.right
  const admitted = keys.admitNow(caller, scope)
  if (admitted === undefined || Either.isLeft(admitted)) return admitted && Either.left(admitted.left)
  const loaded = load.admitNow(info.importance)
  if (loaded === undefined || Either.isLeft(loaded)) return loaded && Either.left(loaded.left)
  const spent = info.api === null ? Either.void : limits.spendNow({ who: { ...caller, scope }, api: info.api })
  if (spent === undefined || Either.isLeft(spent)) return spent && Either.left(spent.left)
  return Either.map(checkContentType(headers, info), () => ({ caller, scope }))
}

const admitToWorkspaceSlowly = ({ keys, limits, load }: Admission, { headers, info, params }: AdmissionRequest) =>
  Effect.gen(function*() {
    yield* checkSize(headers, info)
    const caller = yield* keys.authenticate(presentedKeys(headers), familyOf(info.path).keys)
    const scope = yield* scopeOf(params)
    yield* keys.admit(caller, scope)
    yield* load.admit(info.importance)
    if (info.api !== null) yield* limits.spend({ who: { ...caller, scope }, api: info.api })
    yield* checkContentType(headers, info)
    return { caller, scope }
  })

/** The request with the matched route. */
const matchedRequest = Effect.gen(function*() {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const { params, route } = yield* HttpRouter.RouteContext
  return { headers, info: yield* Effect.orDie(routeInfo(route)), params }
})

const admitToWorkspace = Effect.map(Engine, (engine) =>
  Effect.flatMap(matchedRequest, (request) =>
    Effect.map(
      admitToWorkspaceNow(engine, request) ?? admitToWorkspaceSlowly(engine, request),
      ({ caller, scope }) => {
        const authenticate = engine.keys.authenticate(
          presentedKeys(request.headers),
          familyOf(request.info.path).keys
        )
        const revoked = Effect.ignore(Effect.repeat(authenticate, Schedule.spaced(recheckInterval)))
        return { scope, caller, revoked, actor: caller.label }
      }
    )))

/** Authenticates requests outside of any workspace. */
const admitByKey = Effect.map(Engine, ({ keys, load }) =>
  Effect.gen(function*() {
    const { info, headers } = yield* matchedRequest
    yield* checkSize(headers, info)
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
