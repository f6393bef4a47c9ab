import type { Headers } from "@effect/platform"
import type { Engine } from "@trunkline/engine"
import type { Failure } from "@trunkline/errors"
import type { Scope } from "@trunkline/kernel"
import type { Caller, LimitSubject, RouteFamily } from "@trunkline/rate-limits"
import { Effect, Either, Schedule } from "effect"
import {
  AuthenticatedCaller,
  BoardsAdmission,
  KeyAdmission,
  VoicesAdmission,
  WorkspaceAdmission,
  WorkspaceCaller
} from "../api/Admission.js"
import type { RouteInfo } from "../api/RouteTable.js"
import { checkContentType, checkSize, presentedKeys, scopeOf } from "./AdmissionChecks.js"

/** Interval at which the key of a long-lived response is checked again; `Keys` caches lookups for 4 seconds. */
const recheckInterval = "750 millis"

/** A request to be admitted, of a matched route. */
export interface Arrival {
  readonly headers: Headers.Headers
  readonly params: Readonly<Record<string, string | undefined>>
  readonly info: RouteInfo
  /** Headers of the route that may hold the key. */
  readonly family: RouteFamily
  /** Services of the request by their keys; admission adds its own. */
  readonly services: Map<string, unknown>
}

/** Admits a request, or fails. */
export type Admission = (arrival: Arrival) => Effect.Effect<unknown, Failure>

type Services = Pick<Engine["Type"], "keys" | "limits" | "load">

/** A caller who was admitted to a workspace. */
interface AdmittedCaller {
  readonly caller: Caller
  readonly scope: Scope
}

/**
 * The outcome of `WorkspaceAdmission` where it needs no waiting: the same checks in the same order. Otherwise undefined;
 * nothing was counted then, so admit by the effect.
 */
const admitToWorkspaceNow = (
  { keys, limits, load }: Services,
  { family, headers, info, params }: Arrival
): Either.Either<AdmittedCaller, Failure> | undefined => {
  const sized = checkSize(headers, info)
  if (Either.isLeft(sized)) return Either.left(sized.left)
  const authenticated = keys.authenticateNow(presentedKeys(headers), family)
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

const spend = ({ limits }: Services, api: RouteInfo["api"], who: LimitSubject) =>
  api === null ? Effect.void : limits.spend({ who, api })

const admitToWorkspaceSlowly = (engine: Services, { family, headers, info, params }: Arrival) =>
  Effect.gen(function*() {
    const { keys, load } = engine
    yield* checkSize(headers, info)
    const caller = yield* keys.authenticate(presentedKeys(headers), family)
    const scope = yield* scopeOf(params)
    yield* keys.admit(caller, scope)
    yield* load.admit(info.importance)
    yield* spend(engine, info.api, { ...caller, scope })
    yield* checkContentType(headers, info)
    return { caller, scope }
  })

const admitToWorkspace = (engine: Services): Admission => (arrival) => {
  const provide = ({ caller, scope }: AdmittedCaller): void => {
    const authenticate = Effect.suspend(() => engine.keys.authenticate(presentedKeys(arrival.headers), arrival.family))
    const revoked = Effect.suspend(() => Effect.ignore(Effect.repeat(authenticate, Schedule.spaced(recheckInterval))))
    arrival.services.set(WorkspaceCaller.key, WorkspaceCaller.of({ scope, caller, revoked, actor: caller.label }))
  }
  const admitted = admitToWorkspaceNow(engine, arrival)
  return admitted === undefined
    ? Effect.map(admitToWorkspaceSlowly(engine, arrival), provide)
    : Either.map(admitted, provide)
}

/** The outcome of `KeyAdmission` where it needs no waiting, as `admitToWorkspaceNow`. */
const admitByKeyNow = (
  { keys, load }: Services,
  { family, headers, info }: Arrival
): Either.Either<Caller, Failure> | undefined => {
  const sized = checkSize(headers, info)
  if (Either.isLeft(sized)) return Either.left(sized.left)
  const authenticated = keys.authenticateNow(presentedKeys(headers), family)
  if (authenticated === undefined || Either.isLeft(authenticated)) {
    return authenticated && Either.left(authenticated.left)
  }
  const loaded = load.admitNow(info.importance)
  return loaded && Either.map(loaded, () => authenticated.right)
}

const admitByKeySlowly = ({ keys, load }: Services, { family, headers, info }: Arrival) =>
  Effect.gen(function*() {
    yield* checkSize(headers, info)
    const caller = yield* keys.authenticate(presentedKeys(headers), family)
    yield* load.admit(info.importance)
    return caller
  })

/** Authenticates requests outside of any workspace. */
const admitByKey = (engine: Services) => (arrival: Arrival): Effect.Effect<Caller, Failure> => {
  const provide = (caller: Caller): Caller => {
    arrival.services.set(AuthenticatedCaller.key, AuthenticatedCaller.of({ caller }))
    return caller
  }
  const admitted = admitByKeyNow(engine, arrival)
  return admitted === undefined ? Effect.map(admitByKeySlowly(engine, arrival), provide) : Either.map(admitted, provide)
}

const admitToVoices = (engine: Services): Admission => {
  const admit = admitByKey(engine)
  return (arrival) =>
    admit(arrival).pipe(
      Effect.flatMap((caller) => spend(engine, arrival.info.api, caller)),
      Effect.zipRight(Effect.suspend(() => checkContentType(arrival.headers, arrival.info)))
    )
}

/** Admissions by the keys, load shedding and rate limits of an engine, by the key of the middleware that declares them. */
export const admissionsOf = (engine: Services): ReadonlyMap<string, Admission> =>
  new Map([
    [WorkspaceAdmission.key, admitToWorkspace(engine)],
    [BoardsAdmission.key, admitToWorkspace(engine)],
    [KeyAdmission.key, admitByKey(engine)],
    [VoicesAdmission.key, admitToVoices(engine)]
  ])
