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
import { BlockedNumbers, BlockedNumbersStore, CallRegistry, LiveCalls } from "@trunkline/telephony"
import { Deferred, Effect, type Fiber, Layer } from "effect"

/** Ids that count up, because they are cheap and only need to be unique. */
export const sequentialIds = Layer.sync(Ids, () => {
  let count = 0
  const next = <A>(make: (text: string) => A) => Effect.sync(() => make(String(count += 1).padStart(12, "0")))
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
 * Transactions that only run their effect. The stores of a rehearsal neither fail nor wait, so that no rollback and no
 * isolation is needed.
 */
export const noopTransactions = Layer.succeed(Transactions, {
  run: <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => effect,
  runGuarded: <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => effect,
  waiting: Effect.succeed(0),
  unsafeWaiting: () => 0
})

const noNumbers: ReadonlySet<PhoneNumber> = new Set()

/** An empty do-not-call list. */
export const noBlockedNumbers = Layer.effect(
  BlockedNumbers,
  Effect.map(
    BlockedNumbers,
    (numbers) => BlockedNumbers.of({ ...numbers, filterBlocked: () => Effect.succeed(noNumbers) })
  )
).pipe(
  Layer.provide(BlockedNumbers.layer),
  Layer.provide(Layer.merge(BlockedNumbersStore.layerMemory, noopTransactions))
)

/** Does not track calls in progress, because no other calls can reach the same contacts. */
export const untrackedCalls = Layer.succeed(CallRegistry, {
  add: () => Effect.void,
  remove: () => Effect.void,
  track: () => (effect) => effect,
  endingBy: () => (effect) => effect,
  end: () => Effect.succeed(false),
  leavingBy: () => (effect) => effect,
  leavable: Effect.succeed(0),
  leave: Effect.void,
  has: () => Effect.succeed(false),
  busyNumbers: () => Effect.succeed(new Set())
})

/** Calls in progress. A rehearsal closes them once, when its campaign is over. */
export const rehearsalLiveCalls = Layer.effect(
  LiveCalls,
  Effect.gen(function*() {
    const calls = new Set<Fiber.RuntimeFiber<void>>()
    const drained = yield* Deferred.make<void>()
    let closed = false

    const settle = () => {
      if (closed && calls.size === 0) Deferred.unsafeDone(drained, Effect.void)
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
        return Deferred.await(drained)
      })
    })
  })
)
