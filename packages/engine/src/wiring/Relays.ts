import { AfterCalls } from "@trunkline/after-call"
import { Bus, Scope } from "@trunkline/kernel"
import { Scheduler } from "@trunkline/notifications"
import { FactsLog, Projector } from "@trunkline/warehouse"
import { WebhookDelivery } from "@trunkline/webhooks"
import { Effect, Layer, Schema } from "effect"
import type { Role } from "../Roles.js"

/** Topics of hints that there is work: webhooks that are due, calls that have ended, rules of reports, and facts of a workspace. */
const webhooksTopic = "webhooks-due"
const afterCallsTopic = "after-calls"
const reportsTopic = "report-rules"
const factsTopic = "facts"

/** Does something for each hint of a topic, while the scope is open. */
const onHint = (topic: string, listener: (hint: string | null) => Effect.Effect<void>) =>
  Effect.flatMap(
    Bus,
    (bus) =>
      Effect.flatMap(bus.subscribe(topic), (next) => Effect.forkScoped(Effect.forever(Effect.flatMap(next, listener))))
  )

/** Webhook delivery that processes with its role are woken for, from any process without it. */
export const relayedDelivery = (roles: ReadonlyArray<Role>) =>
  Layer.scoped(
    WebhookDelivery,
    Effect.gen(function*() {
      const bus = yield* Bus
      const delivery = yield* WebhookDelivery
      if (!roles.includes("webhooks")) return { ...delivery, nudge: bus.publish(webhooksTopic) }
      yield* onHint(webhooksTopic, () => delivery.nudge)
      return delivery
    })
  )

/** The work after calls, which processes with the role of webhooks are woken for, from any process without it. */
export const relayedAfterCalls = (roles: ReadonlyArray<Role>) =>
  Layer.scoped(
    AfterCalls,
    Effect.gen(function*() {
      const bus = yield* Bus
      const afterCalls = yield* AfterCalls
      if (!roles.includes("webhooks")) return { ...afterCalls, nudge: bus.publish(afterCallsTopic) }
      yield* onHint(afterCallsTopic, () => afterCalls.nudge)
      return afterCalls
    })
  )

/** The scheduler of reports, which processes with its role are woken for, from any process without it. */
export const relayedScheduler = (roles: ReadonlyArray<Role>) =>
  Layer.scoped(
    Scheduler,
    Effect.gen(function*() {
      const bus = yield* Bus
      const scheduler = yield* Scheduler
      if (!roles.includes("boards")) return { ...scheduler, nudge: bus.publish(reportsTopic) }
      yield* onHint(reportsTopic, () => scheduler.nudge)
      return scheduler
    })
  )

/** A projector that hears of the facts of all processes. One without the role of boards fills no warehouse. */
export const relayedProjector = (roles: ReadonlyArray<Role>) =>
  Layer.scoped(
    Projector,
    Effect.gen(function*() {
      const bus = yield* Bus
      const log = yield* FactsLog
      const projector = yield* Projector
      const tell = (scope: Scope) => bus.publish(factsTopic, encodeScope(scope))
      if (!roles.includes("boards")) {
        return { ...projector, nudge: tell, catchUp: () => Effect.void, rebuild: () => Effect.void }
      }
      const nudgeAll = Effect.flatMap(
        log.workspaces,
        (scopes) => Effect.forEach(scopes, projector.nudge, { discard: true })
      )
      yield* onHint(factsTopic, (hint) =>
        hint === null
          ? Effect.ignoreLogged(Effect.sandbox(nudgeAll))
          : projector.nudge(decodeScope(hint)))
      if (!bus.isShared) return projector
      return { ...projector, nudge: (scope: Scope) => Effect.zipRight(projector.nudge(scope), tell(scope)) }
    })
  )

const scopeJson = Schema.parseJson(Scope)
const decodeScope = Schema.decodeSync(scopeJson)
const encodeScope = Schema.encodeSync(scopeJson)
