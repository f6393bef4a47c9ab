import { AfterCalls } from "@trunkline/after-call"
import { CampaignRunner } from "@trunkline/campaigns"
import { Bus, Processes, retryForever } from "@trunkline/kernel"
import { NotificationDelivery, Scheduler } from "@trunkline/notifications"
import { InboundCalls, Outbounds, outboundTopic, Reaper } from "@trunkline/telephony"
import { Projector } from "@trunkline/warehouse"
import { WebhookDelivery } from "@trunkline/webhooks"
import { Duration, Effect, Fiber, FiberSet, type Scope } from "effect"
import { Recovery, type UnfinishedAttempts } from "./Recovery.js"
import type { Role } from "./Roles.js"
import { Adoption } from "./wiring/Adoption.js"

/** Runs a background service, which restarts after a failure. */
export const supervise = <A>(
  name: string,
  service: Effect.Effect<A>
): Effect.Effect<Fiber.RuntimeFiber<A>, never, Scope.Scope> =>
  service.pipe(
    retryForever({ message: `${name} failed and restarts`, initialDelay: "1 second", maxDelay: "1 minute" }),
    Effect.forkScoped
  )

/**
 * Recovers attempts and carries calls; takes over, again and again, the attempts of processes that have died or left, calls
 * that were accepted by a process that does not dial, and attempts that this one has lost. Returns an effect that begins no
 * more calls.
 */
export const startDialling = Effect.gen(function*() {
  const { find, findLost } = yield* Recovery
  const settling = yield* FiberSet.make<void>()
  const takeOver = (find: Effect.Effect<UnfinishedAttempts>) =>
    Effect.flatMap(find, ({ count, settle }) => count === 0 ? Effect.void : FiberSet.run(settling, settle))
  yield* takeOver(find)
  const { pollEvery, seek } = yield* Processes
  const { awaitRequest } = yield* Adoption
  const news = yield* (yield* Bus).subscribe(outboundTopic)
  const due = Effect.raceFirst(Effect.raceFirst(Effect.sleep(pollEvery), news), awaitRequest)
  const adopt = Effect.forever(due.pipe(Effect.zipRight(seek), Effect.zipRight(takeOver(find))))
  const adoption = Duration.isFinite(pollEvery) ? [yield* supervise("Adoption of attempts", adopt)] : []
  yield* supervise("The reaper of abandoned calls", (yield* Reaper).run(takeOver(findLost)))
  const campaigns = yield* supervise("The campaign runner", (yield* CampaignRunner).run)
  const outbounds = yield* supervise("Outbound calling", (yield* Outbounds).run)
  yield* supervise("Inbound calling", (yield* InboundCalls).run)
  return Effect.zipRight(Fiber.interruptAll([...adoption, campaigns, outbounds]), FiberSet.clear(settling))
})

/**
 * Works on calls that have ended and delivers webhooks, in a process with the role. Returns an effect that begins no more of either,
 * and completes when none is under way.
 */
export const startDeliveries = (roles: ReadonlyArray<Role>) =>
  Effect.gen(function*() {
    const delivery = yield* WebhookDelivery
    const afterCalls = yield* AfterCalls
    if (roles.includes("webhooks")) {
      yield* supervise("Webhook delivery", delivery.run)
      yield* supervise("The work after calls", afterCalls.run)
    }
    return Effect.all([afterCalls.drain, delivery.drain], { concurrency: 2, discard: true })
  })

/** Fills the warehouse, and sends reports. Returns an effect that begins no more reports. */
export const startBoards = Effect.gen(function*() {
  yield* supervise("The fact projector", (yield* Projector).run)
  const schedule = yield* supervise("The report scheduler", (yield* Scheduler).run)
  yield* supervise("Report delivery", (yield* NotificationDelivery).run)
  return Effect.asVoid(Fiber.interrupt(schedule))
})
