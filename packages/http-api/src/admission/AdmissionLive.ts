import type { Headers } from "@effect/platform"
import type { Engine } from "@trunkline/engine"
import type { Failure } from "@trunkline/errors"
import { flatMapNow, mapNow, type Scope } from "@trunkline/kernel"
import type { Principal, RouteFamily } from "@trunkline/rate-limits"
import { Effect, Either, Exit, Schedule } from "effect"
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
export interface RequestArrival {
  readonly headers: Headers.Headers
  readonly params: Readonly<Record<string, string | undefined>>
  readonly info: RouteInfo
  /** Family of the route, which decides where its key may be. */
  readonly family: RouteFamily
  /** Services of the request by their keys; admission adds its own. */
  readonly services: Map<string, unknown>
}

/** Admits a request, or fails. */
export type Admit = (arrival: RequestArrival) => Effect.Effect<unknown, Failure>

type Services = Pick<Engine["Type"], "keys" | "limits" | "load">

/** Checks that some routes have and others do not, beside those of size, key and load. */
interface Checks {
  /** Access to the workspace of the path. */
  readonly hasWorkspace: boolean
  /** The rate limit and the content type of the route; a model request knows its limit by its body only. */
  readonly isLimited: boolean
}

/** A caller who was admitted, and the workspace if the route has one. */
interface Admitted {
  readonly caller: Principal
  readonly scope: Scope | null
}

const admitToWorkspace = (
  { keys }: Services,
  { params }: RequestArrival,
  caller: Principal
): Effect.Effect<Scope, Failure> =>
  flatMapNow(scopeOf(params), (scope) => mapNow(keys.admit(caller, scope), () => scope))

const checkLimit = (
  { limits }: Services,
  { headers, info }: RequestArrival,
  { caller, scope }: Admitted
): Effect.Effect<void, Failure> => {
  const subject = scope === null ? caller : { ...caller, scope }
  const spending = info.api === null
    ? Either.void
    : limits.spendNow({ subject, api: info.api }) ?? limits.spend({ subject, api: info.api })
  return flatMapNow(spending, () => checkContentType(headers, info))
}

/**
 * The checks before every request, in their order: size, key, workspace, load, rate limit, content type. They need no step of
 * a fiber when keys, load and limits answer from memory.
 */
const admit = (
  services: Services,
  arrival: RequestArrival,
  { hasWorkspace, isLimited }: Checks
): Effect.Effect<Admitted, Failure> => {
  const { family, headers, info } = arrival
  return flatMapNow(
    checkSize(headers, info),
    () =>
      flatMapNow(
        services.keys.authenticate(presentedKeys(headers), family),
        (caller) =>
          flatMapNow(hasWorkspace ? admitToWorkspace(services, arrival, caller) : Exit.succeed(null), (scope) =>
            flatMapNow(services.load.admit(info.importance), () => {
              const admittedCaller = { caller, scope }
              return isLimited
                ? mapNow(checkLimit(services, arrival, admittedCaller), () =>
                  admittedCaller)
                : Exit.succeed(admittedCaller)
            }))
      )
  )
}

/** Admits requests and gives their handlers the caller. */
const admission = (engine: Services, checks: Checks): Admit => (arrival) =>
  mapNow(admit(engine, arrival, checks), ({ caller, scope }) => {
    if (scope === null) {
      arrival.services.set(AuthenticatedCaller.key, AuthenticatedCaller.of({ caller }))
      return
    }
    const authenticate = Effect.suspend(() => engine.keys.authenticate(presentedKeys(arrival.headers), arrival.family))
    const revocation = Effect.suspend(() =>
      Effect.ignore(Effect.repeat(authenticate, Schedule.spaced(recheckInterval)))
    )
    arrival.services.set(
      WorkspaceCaller.key,
      WorkspaceCaller.of({ scope, caller, revoked: revocation, actor: caller.label })
    )
  })

/** Admissions by the keys, load shedding and rate limits of an engine, by the key of the middleware that declares them. */
export const admissionsOf = (engine: Services): ReadonlyMap<string, Admit> => {
  const toWorkspace = admission(engine, { hasWorkspace: true, isLimited: true })
  return new Map([
    [WorkspaceAdmission.key, toWorkspace],
    [BoardsAdmission.key, toWorkspace],
    [KeyAdmission.key, admission(engine, { hasWorkspace: false, isLimited: false })],
    [VoicesAdmission.key, admission(engine, { hasWorkspace: false, isLimited: true })]
  ])
}
