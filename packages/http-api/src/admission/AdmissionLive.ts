import type { Headers } from "@effect/platform"
import type { Engine } from "@trunkline/engine"
import { BodyTooLarge, type Failure, UnsupportedContentType } from "@trunkline/errors"
import { Scope } from "@trunkline/kernel"
import type { LimitSubject, PresentedKeys, RouteFamily } from "@trunkline/rate-limits"
import { Effect, Schedule } from "effect"
import { remembered } from "../request/Remembered.js"
import { partReader } from "../request/RequestValidation.js"
import type { RouteInfo } from "../RouteTable.js"
import {
  AuthenticatedCaller,
  BoardsAdmission,
  KeyAdmission,
  VoicesAdmission,
  WorkspaceAdmission,
  WorkspaceCaller
} from "./Admission.js"

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

const readScope = remembered(partReader("path", Scope))

const scopeOf = (params: Arrival["params"]) => readScope(`${params["org_id"]}/${params["workspace_id"]}`, params)

/** A request to be admitted, of a matched route. */
export interface Arrival {
  readonly headers: Headers.Headers
  readonly params: Readonly<Record<string, string | undefined>>
  readonly info: RouteInfo
  /** Headers of the route that may hold the key. */
  readonly keys: RouteFamily
  /** Services of the request by their keys; admission adds its own. */
  readonly services: Map<string, unknown>
}

/** Admits a request, or fails. */
export type Admission = (arrival: Arrival) => Effect.Effect<unknown, Failure>

type Services = Pick<Engine["Type"], "keys" | "limits" | "load">

const spend = ({ limits }: Services, api: RouteInfo["api"], who: LimitSubject) =>
  api === null ? Effect.void : limits.spend({ who, api })

const admitToWorkspace = (engine: Services): Admission => ({ headers, info, keys: family, params, services }) => {
  const { keys, load } = engine
  const authenticate = keys.authenticate(presentedKeys(headers), family)
  return checkSize(headers, info).pipe(
    Effect.zipRight(authenticate),
    Effect.flatMap((caller) =>
      Effect.flatMap(scopeOf(params), (scope) =>
        keys.admit(caller, scope).pipe(
          Effect.flatMap(() => load.admit(info.importance)),
          Effect.flatMap(() => spend(engine, info.api, { ...caller, scope })),
          Effect.flatMap(() => checkContentType(headers, info)),
          Effect.map(() => {
            const revoked = Effect.ignore(Effect.repeat(authenticate, Schedule.spaced(recheckInterval)))
            services.set(WorkspaceCaller.key, WorkspaceCaller.of({ scope, caller, revoked, actor: caller.label }))
          })
        ))
    )
  )
}

/** Authenticates requests outside of any workspace. */
const admitByKey = ({ keys, load }: Services) => ({ headers, info, keys: family, services }: Arrival) =>
  checkSize(headers, info).pipe(
    Effect.zipRight(keys.authenticate(presentedKeys(headers), family)),
    Effect.tap(() => load.admit(info.importance)),
    Effect.tap((caller) => void services.set(AuthenticatedCaller.key, AuthenticatedCaller.of({ caller })))
  )

const admitToVoices = (engine: Services): Admission => {
  const admit = admitByKey(engine)
  return (arrival) =>
    Effect.flatMap(admit(arrival), (caller) =>
      Effect.flatMap(
        spend(engine, arrival.info.api, caller),
        () => checkContentType(arrival.headers, arrival.info)
      ))
}

/** Admissions by the keys, load shedding and rate limits of an engine, by the key of the middleware that declares them. */
export const admissionsOf = (engine: Services): ReadonlyMap<string, Admission> =>
  new Map([
    [WorkspaceAdmission.key, admitToWorkspace(engine)],
    [BoardsAdmission.key, admitToWorkspace(engine)],
    [KeyAdmission.key, admitByKey(engine)],
    [VoicesAdmission.key, admitToVoices(engine)]
  ])
