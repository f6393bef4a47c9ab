import { assert, describe, it } from "@effect/vitest"
import { BusinessTime, VirtualClock } from "@trunkline/kernel"
import { propertyRuns, virtualTest } from "@trunkline/kernel/testing"
import {
  type Attempt,
  AttemptStore,
  type Callee,
  CallHandler,
  CallLimitsOption,
  CallRegistry,
  type CallReport,
  CallSlots,
  type Leg,
  LiveCalls,
  Reaper,
  SimulatedNetwork,
  type Spoken
} from "@trunkline/telephony"
import { Duration, Effect, FastCheck, Layer, Logger, LogLevel } from "effect"
import { attemptInProgress } from "./AttemptInProgress.js"
import { calling } from "./Calling.js"
import { connection, line, numberEnding, scope, telephony } from "./Fixtures.js"

const hello = { text: "Hello.", language_name: "English", interruptible: false }
const report: CallReport = {
  agent_done: true,
  ended_by: "agent",
  language_name: "English",
  transcript: [],
  final_agent_variables: {},
  output_agent_variables: {},
  average_agent_response_seconds: null,
  average_user_response_seconds: null,
  business_retry: false,
  reschedule_at: null,
  fault: null
}

const handlerOf = (handle: (leg: Leg) => Effect.Effect<unknown>) =>
  Layer.succeed(CallHandler, { handle: (leg) => Effect.as(handle(leg), report) })

/** Runs a call with the given handler; returns its attempt and when its leg ended. */
const handled = (handle: (leg: Leg) => Effect.Effect<unknown>, callee: Callee = "answer") =>
  Effect.gen(function*() {
    const attempt = yield* calling()
    const [call] = yield* (yield* SimulatedNetwork).calls
    const slots = yield* CallSlots
    return {
      attempt,
      stage: call?.stage._tag,
      lasted: ((attempt.result?.finished_at ?? 0) - attempt.attempted_at) / 1000,
      inUse: yield* slots.inUse(scope)
    }
  }).pipe(Effect.provide(telephony({ handler: handlerOf(handle), simulator: { default: callee } })))

/** Says one sentence and then stays silent. */
const quiet: Callee = ["Hello?"]

const idleFault = "internal: the conversation was idle for too long"
const deadlineFault = "internal: the conversation exceeded its maximum duration"

describe("a conversation", () => {
  const handlers: ReadonlyArray<readonly [string, (leg: Leg) => Effect.Effect<unknown>, string]> = [
    ["hangs", () => Effect.never, idleFault],
    ["hangs and cannot be interrupted", () => Effect.uninterruptible(Effect.never), idleFault],
    ["says something and hangs", (leg) => Effect.zipRight(Effect.ignore(leg.say(hello)), Effect.never), idleFault],
    [
      "waits for minutes between two sentences",
      (leg) => Effect.forever(Effect.zipRight(Effect.ignore(leg.say(hello)), BusinessTime.sleep("3 minutes"))),
      idleFault
    ],
    ["listens forever", (leg) => Effect.forever(Effect.ignore(leg.listen(Duration.seconds(10)))), deadlineFault],
    [
      "listens forever and cannot be interrupted",
      (leg) => Effect.uninterruptible(Effect.forever(Effect.ignore(leg.listen(Duration.seconds(10))))),
      idleFault
    ],
    [
      "listens to a silent callee",
      (leg) => Effect.forever(Effect.ignore(leg.listen(Duration.hours(3)))),
      idleFault
    ]
  ]
  for (const [name, handle, fault] of handlers) {
    virtualTest(`whose handler ${name} is ended and reported as a fault`, () =>
      Effect.gen(function*() {
        const { attempt, inUse, lasted, stage } = yield* handled(handle, fault === deadlineFault ? "answer" : quiet)
        assert.strictEqual(attempt.result?.failure_reason, fault)
        assert.strictEqual(attempt.result?.connectivity_status, null)
        assert.strictEqual(stage, "Over")
        assert.strictEqual(inUse, 0)
        assert.isAtMost(lasted, 3600 + 30 + 10)
      }))
  }

  virtualTest(
    "whose handler ignores the end of the call is ended after two idle minutes",
    () =>
      Effect.gen(function*() {
        const ignoring = (leg: Leg) => Effect.forever(Effect.ignore(leg.listen(Duration.seconds(5))))
        const { attempt, lasted } = yield* handled(ignoring, [{ say: "Bye.", hang_up: true }])
        assert.strictEqual(attempt.result?.failure_reason, idleFault)
        assert.isBelow(lasted, 150)
      })
  )

  virtualTest("is hung up when the handler returns without doing so", () =>
    Effect.gen(function*() {
      const { attempt, stage } = yield* handled((leg) => Effect.ignore(leg.say(hello)))
      assert.strictEqual(attempt.result?.completion_status, "completed")
      assert.strictEqual(stage, "Over")
    }))

  virtualTest("has enough time to speak a long text", () =>
    Effect.gen(function*() {
      const text = "This is what the law wants to be heard to its end. ".repeat(60)
      const { attempt, lasted } = yield* handled((leg) => Effect.ignore(leg.say({ ...hello, text })))
      assert.strictEqual(attempt.result?.completion_status, "completed")
      assert.isAbove(lasted, 200)
    }))

  virtualTest(
    "tells which side ended it during an utterance, with the part that was heard",
    () =>
      Effect.gen(function*() {
        const text = "This takes longer than the patience of the other side. ".repeat(20)
        let spoken: Spoken | undefined
        yield* handled(
          (leg) => Effect.ignore(Effect.map(leg.say({ ...hello, text }), (said) => spoken = said)),
          "hang_up_early"
        )
        assert.deepInclude(spoken, { interrupted: true, endedBy: "user" })
        assert.isTrue(text.startsWith(spoken?.heard ?? "nothing"))
      })
  )

  virtualTest("can be idle for the configured time", () =>
    Effect.gen(function*() {
      const { attempt } = yield* handled(() => BusinessTime.sleep("10 minutes"))
      assert.strictEqual(attempt.result?.completion_status, "completed")
    }).pipe(Effect.provideService(CallLimitsOption, {
      ringTimeout: Duration.seconds(40),
      maxDuration: Duration.hours(1),
      idleBudget: Duration.hours(1)
    })))
})

/** An action of a handler, well-behaved or not. */
const action = FastCheck.constantFrom(
  "say",
  "listen",
  "listen long",
  "think",
  "think long",
  "hang up",
  "ignore all",
  "never",
  "ignore interruption",
  "die"
)

const performed = (leg: Leg, name: string): Effect.Effect<unknown> => {
  switch (name) {
    case "say":
      return Effect.ignore(leg.say(hello))
    case "listen":
      return Effect.ignore(leg.listen(Duration.seconds(8)))
    case "listen long":
      return Effect.ignore(leg.listen(Duration.minutes(30)))
    case "think":
      return BusinessTime.sleep("30 seconds")
    case "think long":
      return BusinessTime.sleep("1 hour")
    case "hang up":
      return leg.hangUp
    case "ignore all":
      return Effect.forever(Effect.ignore(leg.listen(Duration.seconds(8))))
    case "ignore interruption":
      return Effect.uninterruptible(Effect.forever(Effect.ignore(leg.listen(Duration.seconds(8)))))
    case "die":
      return Effect.die("the handler broke")
    default:
      return Effect.never
  }
}

const callee = FastCheck.constantFrom<Callee>("answer", "hang_up_early", "voicemail", ["Yes?", { hang_up: true }])

describe("arbitrary handlers", () => {
  it.live("never exceed the limits of a leg, keep a slot or end an attempt twice", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(
          FastCheck.array(action, { maxLength: 12, size: "max" }),
          callee,
          async (deeds, person) => {
            const result = await Effect.runPromise(
              VirtualClock.run(
                handled((leg) => Effect.forEach(deeds, (name) => performed(leg, name), { discard: true }), person)
              ).pipe(Logger.withMinimumLogLevel(LogLevel.None))
            )
            assert.strictEqual(result.attempt.state, "ended")
            assert.strictEqual(result.stage, "Over")
            assert.strictEqual(result.inUse, 0)
            assert.isAtMost(result.lasted, 3600 + 30 + 10)
          }
        ),
        { numRuns: propertyRuns(25) }
      )
    ))
})

describe("the reaper", () => {
  /** A network with a live call of an attempt that is stored in the given state, or not stored at all. */
  const orphan = (state: Attempt["state"] | null) =>
    Effect.gen(function*() {
      const network = yield* SimulatedNetwork
      const attempt = attemptInProgress(state ?? "claimed", { user_phone_number: numberEnding("1") })
      if (state !== null) yield* (yield* AttemptStore).insertMany([attempt])
      const { attempt_id, user_phone_number: to } = attempt
      const placed = yield* network.carrier.place({
        attempt_id,
        connection,
        from: line,
        to,
        ringTimeout: Duration.seconds(40)
      })
      yield* placed.answer
      return { attempt, network }
    })

  const stageOf = (network: typeof SimulatedNetwork.Service) =>
    Effect.map(network.calls, (calls) => calls.map(({ stage }) => stage._tag))

  virtualTest("ends orphaned calls once they are two minutes old", () =>
    Effect.gen(function*() {
      const reaper = yield* Reaper
      const { network } = yield* orphan("ended")
      assert.strictEqual(yield* reaper.sweep, 0)
      yield* Effect.fork(reaper.run())
      yield* BusinessTime.sleep("1 minute")
      assert.deepStrictEqual(yield* stageOf(network), ["Talking"])
      yield* BusinessTime.sleep("2 minutes")
      assert.deepStrictEqual(yield* stageOf(network), ["Over"])
    }).pipe(Effect.provide(telephony())))

  virtualTest("keeps registered calls and calls of unknown attempts", () =>
    Effect.gen(function*() {
      const reaper = yield* Reaper
      const carried = yield* CallRegistry
      const { attempt, network } = yield* orphan("accepted")
      yield* carried.add(attempt.attempt_id)
      yield* BusinessTime.sleep("5 minutes")
      assert.strictEqual(yield* reaper.sweep, 0)
      yield* carried.remove(attempt.attempt_id)
      assert.strictEqual(yield* reaper.sweep, 1)
      assert.deepStrictEqual(yield* stageOf(network), ["Over"])
      assert.strictEqual(yield* (yield* LiveCalls).count, 0)
    }).pipe(Effect.provide(telephony())))

  virtualTest(
    "keeps calls of unknown attempts, which may belong to another user of the account",
    () =>
      Effect.gen(function*() {
        const reaper = yield* Reaper
        const { network } = yield* orphan(null)
        yield* BusinessTime.sleep("5 minutes")
        assert.strictEqual(yield* reaper.sweep, 0)
        assert.deepStrictEqual(yield* stageOf(network), ["Talking"])
      }).pipe(Effect.provide(telephony()))
  )

  virtualTest("retries when a provider is unreachable", () => {
    let down = true
    return Effect.gen(function*() {
      const reaper = yield* Reaper
      const { network } = yield* orphan("ended")
      yield* Effect.fork(reaper.run())
      yield* BusinessTime.sleep("10 minutes")
      assert.deepStrictEqual(yield* stageOf(network), ["Talking"])
      down = false
      yield* BusinessTime.sleep("1 minute")
      assert.deepStrictEqual(yield* stageOf(network), ["Over"])
    }).pipe(Effect.provide(telephony({ simulator: { unreachable: Effect.sync(() => down) } })))
  })
})
