import {
  BusinessTime,
  type CohortId,
  type DeploymentId,
  isOpen,
  type PhoneNumber,
  type Scope,
  type Variables
} from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import type { AppOverrides } from "../call/CallHandler.js"
import { type Deployment, inboundWindow } from "./Deployment.js"
import { DeploymentStore } from "./DeploymentStore.js"

/** A caller found in a deployment's cohorts. */
export interface KnownCaller {
  readonly cohort_id: CohortId
  readonly user_identifier: string
  readonly agent_variables: Variables
  readonly app_overrides: AppOverrides
}

/** Port to the cohorts: finds the data of a caller. */
export class KnownCallers extends Context.Tag("@trunkline/telephony/KnownCallers")<KnownCallers, {
  /** Finds the caller in the deployment's newest completed cohort that contains the number. */
  readonly find: (
    scope: Scope,
    deployment: DeploymentId,
    caller: PhoneNumber
  ) => Effect.Effect<Option.Option<KnownCaller>>
  /** Removes all callers of a deployment; joins the current transaction. */
  readonly forget: (scope: Scope, deployment: DeploymentId) => Effect.Effect<void>
}>() {
  /** Knows no callers. */
  static readonly layerNone = Layer.succeed(KnownCallers, { find: () => Effect.succeedNone, forget: () => Effect.void })
}

/** Routing decision for an incoming call. A rejected call includes its deployment if there is one. */
export type InboundRoute =
  | {
    readonly accept: true
    readonly scope: Scope
    readonly deployment: Deployment
    readonly cohort_id: CohortId | null
    readonly user_identifier: string | null
    readonly agent_variables: Variables
    readonly app_overrides: AppOverrides
  }
  | { readonly accept: false; readonly reason: "no_deployment" }
  | {
    readonly accept: false
    readonly reason: "deployment_paused" | "outside_schedule"
    readonly scope: Scope
    readonly deployment: Deployment
  }

/** Routes incoming calls to deployments. */
export class InboundRouter extends Context.Tag("@trunkline/telephony/InboundRouter")<InboundRouter, {
  /** Checks the number's deployment and its schedule, and looks up the caller. */
  readonly route: (call: {
    readonly agent_phone_number: PhoneNumber
    readonly user_phone_number: PhoneNumber
  }) => Effect.Effect<InboundRoute>
}>() {
  static readonly layer = Layer.effect(
    InboundRouter,
    Effect.gen(function*() {
      const deployments = yield* DeploymentStore
      const callers = yield* KnownCallers
      return InboundRouter.of({
        route: Effect.fnUntraced(function*(call) {
          const ownedDeployment = yield* deployments.findByNumber(call.agent_phone_number)
          if (Option.isNone(ownedDeployment)) return { accept: false, reason: "no_deployment" }
          const { deployment, scope } = ownedDeployment.value
          const now = yield* BusinessTime.now
          if (deployment.status === "paused") {
            return { accept: false, reason: "deployment_paused", scope, deployment }
          }
          if (deployment.inbound_config !== null && !isOpen(inboundWindow(deployment.inbound_config), now)) {
            return { accept: false, reason: "outside_schedule", scope, deployment }
          }
          const existing = Option.getOrNull(
            yield* callers.find(scope, deployment.deployment_id, call.user_phone_number)
          )
          return {
            accept: true,
            scope,
            deployment,
            cohort_id: existing?.cohort_id ?? null,
            user_identifier: existing?.user_identifier ?? null,
            agent_variables: existing?.agent_variables ?? {},
            app_overrides: {
              ...(deployment.record != null && { record: deployment.record }),
              ...existing?.app_overrides
            }
          }
        })
      })
    })
  )
}
