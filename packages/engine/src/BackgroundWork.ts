import { CampaignRunner } from "@trunkline/campaigns"
import { Bus, Processes, retryForever } from "@trunkline/kernel"
import { NotificationDelivery, Scheduler } from "@trunkline/notifications"
import { InboundCalls, OUTBOUND_TOPIC, Outbounds, Reaper } from "@trunkline/telephony"
import { Projector } from "@trunkline/warehouse"
import { Duration, Effect, type Fiber, FiberSet, type Scope } from "effect"
import { Recovery, type UnfinishedAttempts } from "./Recovery.js"

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
 * Takes over, again and again, the attempts of processes that have died or left, and calls that were accepted by a process
 * that does not dial.
 */
const adoptForever = (find: Effect.Effect<UnfinishedAttempts>, pollEvery: Duration.Duration): Effect.Effect<never> =>
  Effect.gen(function*() {
    const settling = yield* FiberSet.make<void>()
    const news = yield* (yield* Bus).subscribe(OUTBOUND_TOPIC)
    const adopt = Effect.flatMap(
      find,
      ({ count, settle }) => count === 0 ? Effect.void : FiberSet.run(settling, settle)
    )
    return yield* Effect.forever(Effect.zipRight(Effect.raceFirst(Effect.sleep(pollEvery), news), adopt))
  }).pipe(Effect.scoped)

/** Recovers attempts and carries calls. Returns the fibers that start calls, to be interrupted when no more may begin. */
export const startDialling = Effect.gen(function*() {
  const { find } = yield* Recovery
  const { settle } = yield* find
  const recovery = yield* Effect.forkScoped(settle)
  const { pollEvery } = yield* Processes
  const adoption = Duration.isFinite(pollEvery)
    ? [yield* supervise("Adoption of attempts", adoptForever(find, pollEvery))]
    : []
  yield* supervise("The reaper of abandoned calls", (yield* Reaper).run)
  const campaigns = yield* supervise("The campaign runner", (yield* CampaignRunner).run)
  const outbounds = yield* supervise("Outbound calling", (yield* Outbounds).run)
  yield* supervise("Inbound calling", (yield* InboundCalls).run)
  return [recovery, ...adoption, campaigns, outbounds]
})

/** Fills the warehouse, and sends reports. Returns the fibers that begin reports. */
export const startBoards = Effect.gen(function*() {
  yield* supervise("The fact projector", (yield* Projector).run)
  const schedule = yield* supervise("The report scheduler", (yield* Scheduler).run)
  yield* supervise("Report delivery", (yield* NotificationDelivery).run)
  return [schedule]
})
