import {
  AttemptId,
  CampaignId,
  CohortId,
  DeploymentId,
  Ids,
  InteractionId,
  type PhoneNumber,
  RequestId,
  Transactions,
  VoiceId
} from "@trunkline/kernel"
import { BlockedNumbers, BlockedNumbersStore, CarriedCalls, LiveCalls } from "@trunkline/telephony"
import { Deferred, Effect, type Fiber, Layer } from "effect"

/** Ids that count up: they need to be different, and cost nothing. */
export const countingIds = Layer.sync(Ids, () => {
  let made = 0
  const next = <A>(make: (text: string) => A) => Effect.sync(() => make(String(made += 1).padStart(12, "0")))
  return Ids.of({
    deploymentId: next(DeploymentId.make),
    campaignId: next(CampaignId.make),
    cohortId: next(CohortId.make),
    attemptId: next(AttemptId.make),
    interactionId: next(InteractionId.make),
    voiceId: next(VoiceId.make),
    requestId: next(RequestId.make),
    uuid: next(String)
  })
})

/**
 * Transactions that are nothing but their contents: nothing fails in a rehearsal, and nothing that its stores do waits,
 * so there is nothing to undo and nobody in between.
 */
export const plainTransactions = Layer.succeed(Transactions, {
  run: <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => effect,
  waiting: Effect.succeed(0)
})

const nobody: ReadonlySet<PhoneNumber> = new Set()

/** A do-not-call list with nobody on it. */
export const nobodyBlocked = Layer.effect(
  BlockedNumbers,
  Effect.map(BlockedNumbers, (numbers) => BlockedNumbers.of({ ...numbers, blocked: () => Effect.succeed(nobody) }))
).pipe(
  Layer.provide(BlockedNumbers.layer),
  Layer.provide(Layer.merge(BlockedNumbersStore.layerMemory, plainTransactions))
)

/** Carries calls without a note of each: nobody else could be on the phone with them. */
export const uncountedCalls = Layer.succeed(CarriedCalls, {
  add: () => Effect.void,
  remove: () => Effect.void,
  carrying: () => (effect) => effect,
  has: () => Effect.succeed(false),
  talking: () => Effect.succeed(new Set())
})

/** The calls that are going on. A rehearsal closes once, when its campaign is over. */
export const rehearsedCalls = Layer.effect(
  LiveCalls,
  Effect.gen(function*() {
    const calls = new Set<Fiber.RuntimeFiber<void>>()
    const quiet = yield* Deferred.make<void>()
    let closed = false

    const settle = () => {
      if (closed && calls.size === 0) Deferred.unsafeDone(quiet, Effect.void)
    }

    return LiveCalls.of({
      start: (call) =>
        Effect.map(Effect.forkDaemon(Effect.interruptible(call)), (fiber) => {
          calls.add(fiber)
          fiber.addObserver(() => {
            calls.delete(fiber)
            settle()
          })
          return true
        }),
      count: Effect.sync(() => calls.size),
      close: Effect.suspend(() => {
        closed = true
        settle()
        return Deferred.await(quiet)
      })
    })
  })
)
