import { assert, describe } from "@effect/vitest"
import { AttemptId, BusinessTime, FaultPoints } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import {
  type Attempt,
  AttemptStore,
  type Callee,
  CallEvents,
  callFaultPoints,
  type CallOutcome,
  Calls,
  type Dedupe,
  type DialFault,
  DialLease,
  type Recovered,
  SimulatedNetwork,
  type SimulatorOptions
} from "@trunkline/telephony"
import { Duration, Effect, Layer, Option } from "effect"
import { attemptInProgress } from "./attemptInProgress.js"
import { calling } from "./calling.js"
import { connection, telephony } from "./fixtures.js"

const minute = Duration.minutes(1)
const key: Dedupe = { _tag: "Key", ttl: Duration.hours(1) }
const keyAndLookup: Dedupe = { ...key, settle: minute }
const lookup: Dedupe = { _tag: "Lookup", settle: minute }
const none: Dedupe = { _tag: "None" }

/** State left by the previous process: with or without a dial request, and how long ago. */
interface Past {
  readonly state: "claimed" | "accepted"
  readonly asked: boolean
  /** Seconds between the dial and the crash. */
  readonly secondsAgo?: number
  /** True when the call was connected. */
  readonly talking?: boolean
}

const plan = (attempt: Attempt) => ({
  attempt_id: attempt.attempt_id,
  connection,
  from: attempt.agent_phone_number,
  to: attempt.user_phone_number,
  ringTimeout: Duration.seconds(40)
})

interface World {
  readonly dedupe: Dedupe
  readonly callee?: Callee
  readonly simulator?: SimulatorOptions
  readonly past: Past
  readonly mayDial?: boolean
  /** Runs before the new process starts. */
  readonly meanwhile?: Effect.Effect<unknown, never, CallEvents>
}

/** Recovers an attempt in a new process and follows a live call to its end. */
const recovered = ({ callee = "answer", dedupe, mayDial = true, meanwhile = Effect.void, past, simulator }: World) =>
  Effect.gen(function*() {
    const [network, calls, store] = [yield* SimulatedNetwork, yield* Calls, yield* AttemptStore]
    const attempt = attemptInProgress(past.state, {
      provider_call_id: past.state === "accepted" ? `sim-${attemptInProgress("claimed").attempt_id}` : null
    })
    yield* store.insert(attempt)
    if (past.asked) {
      const placed = yield* Effect.orDie(network.carrier.place(plan(attempt)))
      if (past.talking === true) yield* Effect.orDie(placed.answer)
    }
    yield* BusinessTime.sleep(Duration.seconds(past.secondsAgo ?? 1))
    yield* meanwhile
    const start = yield* BusinessTime.now
    const result = yield* calls.recover(attempt, { mayDial: Effect.succeed(mayDial) })
    const took = ((yield* BusinessTime.now) - start) / 1000
    const outcome = yield* outcomeOf(result)
    const made = yield* network.calls
    const kept = yield* store.find(attempt.attempt_id)
    return { result: result._tag, outcome, took, calls: made, kept: Option.getOrThrow(kept) }
  }).pipe(
    Effect.provide(telephony({
      simulator: {
        dedupe,
        default: callee,
        visibleAfter: dedupe._tag === "Lookup" ? dedupe.settle : Duration.zero,
        ...simulator
      }
    }))
  )

const outcomeOf = (result: Recovered): Effect.Effect<CallOutcome | null> =>
  result._tag === "GoesOn" ? result.outcome : Effect.succeed(result._tag === "Ended" ? result.outcome : null)

/** Short form of an outcome: `connected` or the situation. */
const word = (outcome: CallOutcome | null) =>
  outcome === null ? null : outcome._tag === "Connected" ? "connected" : outcome.situation

const sent: Past = { state: "claimed", asked: true }
const notSent: Past = { state: "claimed", asked: false }
const accepted: Past = { state: "accepted", asked: true }
const old = { secondsAgo: 3_590 }

/** Title, past, result, and total number of calls that the provider has made. */
type Row = readonly [
  name: string,
  world: World,
  result: Recovered["_tag"],
  outcome: ReturnType<typeof word>,
  calls: number
]

const rows: ReadonlyArray<Row> = [
  ["key: never requested, is placed", { dedupe: key, past: notSent }, "GoesOn", "connected", 1],
  ["key: ringing, continues", { dedupe: key, past: sent }, "GoesOn", "connected", 1],
  ["key: answered meanwhile, continues", { dedupe: key, past: { ...sent, secondsAgo: 20 } }, "GoesOn", "connected", 1],
  ["key: found busy", { dedupe: key, callee: "busy", past: { ...sent, secondsAgo: 20 } }, "GoesOn", "busy", 1],
  ["key expired: not placed again, unknown", { dedupe: key, past: { ...notSent, ...old } }, "Ended", "unknown", 0],
  ["key expired: dialled once, unknown", { dedupe: key, past: { ...sent, ...old } }, "Ended", "unknown", 1],
  [
    "key expired, lookup: found",
    {
      dedupe: keyAndLookup,
      callee: "busy",
      past: { ...sent, ...old }
    },
    "Ended",
    "busy",
    1
  ],
  ["key expired, lookup: never dialled", { dedupe: keyAndLookup, past: { ...notSent, ...old } }, "Redial", null, 0],
  ["key, dialling disallowed: unknown", { dedupe: key, past: notSent, mayDial: false }, "Ended", "unknown", 0],
  [
    "key and lookup, dialling disallowed: never dialled",
    {
      dedupe: keyAndLookup,
      past: notSent,
      mayDial: false
    },
    "Redial",
    null,
    0
  ],
  [
    "key and lookup, dialling disallowed: busy",
    {
      dedupe: keyAndLookup,
      callee: "busy",
      past: sent,
      mayDial: false
    },
    "Ended",
    "busy",
    1
  ],
  ["lookup: never dialled", { dedupe: lookup, past: notSent }, "Redial", null, 0],
  ["lookup: still connected, ended", { dedupe: lookup, past: sent }, "Ended", "internal", 1],
  ["lookup: busy", { dedupe: lookup, callee: "busy", past: sent }, "Ended", "busy", 1],
  ["lookup: answered and hung up", { dedupe: lookup, callee: "hang_up_early", past: sent }, "Ended", "internal", 1],
  ["no dedupe: unknown", { dedupe: none, past: sent }, "Ended", "unknown", 1],
  ["no dedupe: unknown, though never dialled", { dedupe: none, past: notSent }, "Ended", "unknown", 0]
]

const acceptedRows: ReadonlyArray<Row> = [key, lookup, none].flatMap((dedupe): ReadonlyArray<Row> => [
  [`${dedupe._tag}: still ringing, goes on`, { dedupe, past: accepted }, "GoesOn", "connected", 1],
  [
    `${dedupe._tag}: talking to who is gone`,
    {
      dedupe,
      past: { ...accepted, talking: true }
    },
    "Ended",
    "internal",
    1
  ],
  [`${dedupe._tag}: busy`, { dedupe, callee: "busy", past: { ...accepted, secondsAgo: 9 } }, "Ended", "busy", 1],
  [`${dedupe._tag}: not known to the provider`, { dedupe, past: { ...accepted, asked: false } }, "Ended", "internal", 0]
])

describe("an attempt of a stopped process", () => {
  for (const [state, table] of [["claimed", rows], ["accepted", acceptedRows]] as const) {
    for (const [name, world, result, outcome, count] of table) {
      virtualTest(`that was ${state}, ${name}`, () =>
        Effect.gen(function*() {
          const seen = yield* recovered(world)
          assert.strictEqual(seen.result, result)
          assert.strictEqual(word(seen.outcome), outcome)
          assert.lengthOf(seen.calls, count)
          if (seen.result === "Ended") {
            assert.isTrue(seen.calls.every(({ stage }) => stage._tag === "Over" || outcome === "unknown"))
          }
          if (seen.outcome?._tag === "NotConnected" && ["internal", "unknown"].includes(seen.outcome.situation)) {
            assert.isTrue(seen.outcome.reason?.startsWith(`${seen.outcome.situation}: `))
          }
          if (outcome === "connected") assert.strictEqual(seen.kept.state, "accepted")
        }))
    }
  }

  virtualTest(
    "is looked up only after the settle time, which all attempts share",
    () =>
      Effect.gen(function*() {
        const [calls, store] = [yield* Calls, yield* AttemptStore]
        const attempt = attemptInProgress("claimed")
        yield* store.insert(attempt)
        const options = { mayDial: Effect.succeed(true) }
        const start = yield* BusinessTime.now
        yield* calls.recover(attempt, options)
        assert.strictEqual((yield* BusinessTime.now) - start, 60_000)
        yield* calls.recover(attempt, options)
        assert.strictEqual((yield* BusinessTime.now) - start, 60_000)
      }).pipe(Effect.provide(telephony({ simulator: { dedupe: lookup } })))
  )

  virtualTest("is not given up when the provider shows the call with a delay", () =>
    Effect.gen(function*() {
      const seen = yield* recovered({
        dedupe: { _tag: "Lookup", settle: Duration.seconds(20) },
        past: accepted,
        simulator: { visibleByIdAfter: Duration.seconds(20) }
      })
      assert.strictEqual(seen.result, "Ended")
      assert.strictEqual(word(seen.outcome), "internal")
      assert.lengthOf(seen.calls, 1)
      assert.isTrue(seen.calls.every(({ stage }) => stage._tag === "Over"))
    }))

  virtualTest(
    "is looked up repeatedly, and not dialled, while the provider is unreachable",
    () =>
      Effect.gen(function*() {
        const start = yield* BusinessTime.now
        const unreachable = Effect.map(BusinessTime.now, (now) => now < start + 20 * 60_000)
        const seen = yield* recovered({ dedupe: lookup, callee: "busy", past: sent, simulator: { unreachable } })
        assert.strictEqual(word(seen.outcome), "busy")
        assert.isAbove(seen.took, 19 * 60)
        assert.lengthOf(seen.calls, 1)
      })
  )

  virtualTest("is unknown when the provider is unreachable for a day", () =>
    Effect.gen(function*() {
      const seen = yield* recovered({
        dedupe: lookup,
        past: notSent,
        simulator: { unreachable: Effect.succeed(true) }
      })
      assert.strictEqual(word(seen.outcome), "unknown")
      assert.isAtLeast(seen.took, 24 * 3600)
    }))

  virtualTest(
    "that was accepted is given up after the maximum duration when the provider is unreachable",
    () =>
      Effect.gen(function*() {
        const seen = yield* recovered({
          dedupe: none,
          past: accepted,
          simulator: { unreachable: Effect.succeed(true) }
        })
        assert.strictEqual(word(seen.outcome), "internal")
        assert.approximately(seen.took, 3600 + 40 + 60, 60)
      })
  )

  virtualTest(
    "is found by an event even without lookup support",
    () =>
      Effect.gen(function*() {
        const { attempt_id } = attemptInProgress("claimed")
        const meanwhile = Effect.flatMap(CallEvents, ({ receive }) =>
          receive("simulator", [{
            event_id: "e1",
            provider_call_id: `sim-${attempt_id}`,
            attempt_id,
            news: { _tag: "Ringing" }
          }]))
        const seen = yield* recovered({ dedupe: none, past: sent, meanwhile })
        assert.strictEqual(seen.result, "GoesOn")
        assert.strictEqual(word(seen.outcome), "connected")
        assert.strictEqual(seen.kept.state, "accepted")
      })
  )

  virtualTest("is not considered refused when only the redial is refused", () =>
    Effect.gen(function*() {
      const refusing = () => {
        let asked = 0
        return { fault: () => Effect.sync((): DialFault | null => asked++ === 0 ? null : { _tag: "Refused" }) }
      }
      const seen = yield* recovered({ dedupe: key, past: sent, simulator: refusing() })
      assert.strictEqual(word(seen.outcome), "unknown")
      assert.lengthOf(seen.calls, 1)
      const patient = yield* recovered({ dedupe: keyAndLookup, callee: "busy", past: sent, simulator: refusing() })
      assert.strictEqual(word(patient.outcome), "busy")
    }))

  virtualTest("is placed with its key as soon as the provider responds again", () =>
    Effect.gen(function*() {
      let asked = 0
      const fault = () => Effect.sync((): DialFault | null => ++asked < 6 ? { _tag: "FailedBefore" } : null)
      const seen = yield* recovered({ dedupe: key, past: notSent, simulator: { fault } })
      assert.strictEqual(word(seen.outcome), "connected")
      assert.lengthOf(seen.calls, 1)
    }))
})

describe("a key that is abandoned after a redial", () => {
  virtualTest("is followed by another settle time, since the provider may accept the last request", () => {
    const late: DialFault = { _tag: "Late", after: Duration.seconds(45) }
    let asked = 0
    return Effect.gen(function*() {
      const [network, calls, store] = [yield* SimulatedNetwork, yield* Calls, yield* AttemptStore]
      const shut = { mayDial: Effect.succeed(false) }
      const other = attemptInProgress("claimed", { attempt_id: AttemptId.make("018f9430-0000-7000-8000-000000000002") })
      assert.strictEqual((yield* calls.recover(other, shut))._tag, "Redial")
      const attempt = attemptInProgress("claimed")
      yield* store.insert(attempt)
      const once = { mayDial: Effect.sync(() => asked === 0) }
      assert.strictEqual((yield* calls.recover(attempt, once))._tag, "Ended")
      assert.lengthOf(yield* network.calls, 1)
    }).pipe(Effect.provide(telephony({
      simulator: {
        dedupe: keyAndLookup,
        fault: () =>
          Effect.sync(() => {
            asked += 1
            return late
          })
      }
    })))
  })
})

describe("the fault points of a call", () => {
  virtualTest("are passed in order, also during a recovery", () => {
    const passed: Array<string> = []
    const faults: FaultPoints.Service = {
      after: (point) => (effect) => Effect.tap(effect, () => Effect.sync(() => void passed.push(point)))
    }
    return Effect.gen(function*() {
      yield* calling()
      assert.deepStrictEqual(passed.splice(0), ["dial.sent", "dial.taken", "accept.kept", "call.over"])
      const [calls, store] = [yield* Calls, yield* AttemptStore]
      const attempt = attemptInProgress("claimed")
      yield* store.insert(attempt)
      yield* outcomeOf(yield* calls.recover(attempt, { mayDial: Effect.succeed(true) }))
      const dialled = ["dial.sent", "dial.taken", "recover.dialled", "accept.kept", "call.over"]
      assert.deepStrictEqual(passed.splice(0), dialled)
      const gone = attemptInProgress("accepted", { provider_call_id: "gone" })
      yield* calls.recover(gone, { mayDial: Effect.succeed(true) })
      assert.deepStrictEqual(passed, ["recover.looked", "recover.looked"])
      assert.includeMembers([...callFaultPoints], [...dialled, ...passed])
    }).pipe(Effect.provide(telephony()), Effect.provideService(FaultPoints, faults))
  })
})

const disowned = Layer.succeed(DialLease, { mayDial: Effect.succeed(false) })

describe("a process that may have lost its work", () => {
  virtualTest(
    "neither dials nor redials and leaves the attempt to its owner",
    () =>
      Effect.gen(function*() {
        const [network, calls, store] = [yield* SimulatedNetwork, yield* Calls, yield* AttemptStore]
        const attempt = attemptInProgress("claimed")
        yield* store.insert(attempt)
        assert.deepStrictEqual(yield* calls.place(attempt), { _tag: "Disowned" })
        assert.deepStrictEqual(yield* calls.recover(attempt, { mayDial: Effect.succeed(true) }), { _tag: "Disowned" })
        assert.lengthOf(yield* network.calls, 0)
        assert.deepStrictEqual(yield* store.find(attempt.attempt_id), Option.some(attempt))
      }).pipe(Effect.provide(telephony({ lease: disowned })))
  )
})

describe("a dial", () => {
  virtualTest("is not made after its deadline", () =>
    Effect.gen(function*() {
      const [network, calls, store] = [yield* SimulatedNetwork, yield* Calls, yield* AttemptStore]
      const attempt = attemptInProgress("claimed")
      yield* store.insert(attempt)
      yield* BusinessTime.sleep("1 minute")
      const deadline = yield* BusinessTime.now
      assert.deepStrictEqual(yield* calls.place(attempt, { deadline }), { _tag: "Withdrawn" })
      assert.lengthOf(yield* network.calls, 0)
      const inTime = yield* calls.place(attempt, { deadline: deadline + 1 })
      assert.strictEqual(inTime._tag, "Connected")
    }).pipe(Effect.provide(telephony())))

  virtualTest("is not made when its deadline passes during the lease check", () => {
    const slow = Layer.succeed(DialLease, { mayDial: Effect.as(BusinessTime.sleep("1 minute"), true) })
    return Effect.gen(function*() {
      const [network, calls, store] = [yield* SimulatedNetwork, yield* Calls, yield* AttemptStore]
      const attempt = attemptInProgress("claimed")
      yield* store.insert(attempt)
      const deadline = (yield* BusinessTime.now) + 30_000
      assert.deepStrictEqual(yield* calls.place(attempt, { deadline }), { _tag: "Withdrawn" })
      assert.lengthOf(yield* network.calls, 0)
    }).pipe(Effect.provide(telephony({ lease: slow })))
  })

  virtualTest("without a response is not repeated once dialling is disallowed", () => {
    const fault = () => Effect.succeed<DialFault>({ _tag: "FailedBefore" })
    return Effect.gen(function*() {
      const [network, calls, store] = [yield* SimulatedNetwork, yield* Calls, yield* AttemptStore]
      const attempt = attemptInProgress("claimed")
      yield* store.insert(attempt)
      const placed = yield* calls.place(attempt, { mayDial: Effect.succeed(false) })
      assert.deepInclude(placed, { _tag: "NotConnected", situation: "unknown" })
      assert.lengthOf(yield* network.calls, 0)
    }).pipe(
      Effect.provide(telephony({ simulator: { dedupe: { _tag: "Key", ttl: Duration.hours(24) }, fault } }))
    )
  })

  const lost: DialFault = { _tag: "Lost" }
  const late: DialFault = { _tag: "Late", after: Duration.seconds(45) }
  const faults: ReadonlyArray<readonly [Dedupe, DialFault, string | null, string | null, number]> = [
    [key, lost, "connected", null, 1],
    [key, { _tag: "FailedAfter" }, "connected", null, 1],
    [key, { _tag: "FailedBefore" }, "connected", null, 1],
    [key, late, "connected", null, 1],
    [lookup, lost, "connected", null, 1],
    [lookup, { _tag: "FailedAfter" }, "connected", null, 1],
    [lookup, { _tag: "FailedBefore" }, "failed", "simulator: the call was not accepted", 0],
    [lookup, late, "connected", null, 1],
    [none, lost, null, "unknown: the provider did not respond in time", 1],
    [none, { _tag: "FailedAfter" }, null, "simulator: server error", 1],
    [none, { _tag: "FailedBefore" }, null, "simulator: server error", 0],
    [none, { _tag: "Refused" }, "failed", "simulator: too many requests", 0]
  ]
  for (const [dedupe, fault, connectivity, reason, count] of faults) {
    virtualTest(
      `with fault ${fault._tag} on a line with ${dedupe._tag} ends as ${connectivity}, dialled ${count} times`,
      () => {
        let asked = 0
        return Effect.gen(function*() {
          const attempt = yield* calling()
          assert.strictEqual(attempt.result?.connectivity_status, connectivity)
          assert.strictEqual(attempt.result?.failure_reason, reason)
          assert.lengthOf(yield* (yield* SimulatedNetwork).calls, count)
        }).pipe(Effect.provide(telephony({
          simulator: {
            dedupe,
            visibleAfter: Duration.seconds(10),
            fault: () => Effect.sync(() => asked++ === 0 ? fault : null)
          }
        })))
      }
    )
  }
})

/** An attempt store that hangs once a call is accepted, like that of a crashed process. */
const stuck = Layer.effect(
  AttemptStore,
  Effect.map(AttemptStore, (store) => ({ ...store, accept: () => Effect.never }))
)

describe("a call that outlives its engine", () => {
  virtualTest(
    "is recovered by the next engine on the same network without a second dial",
    () =>
      Effect.gen(function*() {
        const network = yield* SimulatedNetwork.make()
        const attempt = attemptInProgress("claimed")
        yield* Effect.flatMap(Calls, (calls) => calls.place(attempt)).pipe(
          Effect.provide(telephony({ network, spoil: stuck })),
          Effect.fork
        )
        yield* BusinessTime.sleep("1 second")
        const outcome = yield* Effect.gen(function*() {
          yield* (yield* AttemptStore).insert(attempt)
          return yield* outcomeOf(yield* (yield* Calls).recover(attempt, { mayDial: Effect.succeed(true) }))
        }).pipe(Effect.provide(telephony({ network })))
        assert.strictEqual(word(outcome), "connected")
        assert.lengthOf(yield* network.calls, 1)
      })
  )
})
