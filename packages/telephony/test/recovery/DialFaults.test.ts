import { assert, describe } from "@effect/vitest"
import { BusinessTime, FaultPoints, findOne } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import {
  AttemptStore,
  callFaultPoints,
  Calls,
  type Dedupe,
  type DialFault,
  DialLease,
  SimulatedNetwork
} from "@trunkline/telephony"
import { Duration, Effect, Layer, Option } from "effect"
import { attemptInProgress } from "../AttemptInProgress.js"
import { calling } from "../Calling.js"
import { telephony } from "../Fixtures.js"
import { key, lookup, none, outcomeOf, word } from "./RecoveryFixtures.js"

const disowned = Layer.succeed(DialLease, { mayDial: Effect.succeed(false) })

/** An attempt store that hangs once a call is accepted, like that of a crashed process. */
const stuck = Layer.effect(
  AttemptStore,
  Effect.map(AttemptStore, (store) => ({ ...store, acceptMany: () => Effect.never }))
)

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
      yield* store.insertMany([attempt])
      yield* outcomeOf(yield* calls.recover(attempt, { mayDial: Effect.succeed(true) }))
      const dialled = ["dial.sent", "dial.taken", "recover.dialled", "accept.kept", "call.over"]
      assert.deepStrictEqual(passed.splice(0), dialled)
      const unknown = attemptInProgress("accepted", { provider_call_id: "unknown" })
      yield* calls.recover(unknown, { mayDial: Effect.succeed(true) })
      assert.deepStrictEqual(passed, ["recover.looked", "recover.looked"])
      assert.includeMembers([...callFaultPoints], [...dialled, ...passed])
    }).pipe(Effect.provide(telephony()), Effect.provideService(FaultPoints, faults))
  })
})

describe("a process that may have lost its work", () => {
  virtualTest(
    "neither dials nor redials and leaves the attempt to its owner",
    () =>
      Effect.gen(function*() {
        const [network, calls, store] = [yield* SimulatedNetwork, yield* Calls, yield* AttemptStore]
        const attempt = attemptInProgress("claimed")
        yield* store.insertMany([attempt])
        assert.deepStrictEqual(yield* calls.place(attempt), { _tag: "Disowned" })
        assert.deepStrictEqual(yield* calls.recover(attempt, { mayDial: Effect.succeed(true) }), { _tag: "Disowned" })
        assert.lengthOf(yield* network.calls, 0)
        assert.deepStrictEqual(yield* findOne(store.findMany, attempt.attempt_id), Option.some(attempt))
      }).pipe(Effect.provide(telephony({ lease: disowned })))
  )
})

describe("a dial", () => {
  virtualTest("is not made after its deadline", () =>
    Effect.gen(function*() {
      const [network, calls, store] = [yield* SimulatedNetwork, yield* Calls, yield* AttemptStore]
      const attempt = attemptInProgress("claimed")
      yield* store.insertMany([attempt])
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
      yield* store.insertMany([attempt])
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
      yield* store.insertMany([attempt])
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
        let dials = 0
        return Effect.gen(function*() {
          const attempt = yield* calling()
          assert.strictEqual(attempt.result?.connectivity_status, connectivity)
          assert.strictEqual(attempt.result?.failure_reason, reason)
          assert.lengthOf(yield* (yield* SimulatedNetwork).calls, count)
        }).pipe(Effect.provide(telephony({
          simulator: {
            dedupe,
            visibleAfter: Duration.seconds(10),
            fault: () => Effect.sync(() => dials++ === 0 ? fault : null)
          }
        })))
      }
    )
  }
})

describe("a call that outlives its engine", () => {
  virtualTest(
    "is recovered by the next engine on the same network without a second dial",
    () =>
      Effect.gen(function*() {
        const network = yield* SimulatedNetwork.make()
        const attempt = attemptInProgress("claimed")
        yield* Effect.flatMap(Calls, (calls) => calls.place(attempt)).pipe(
          Effect.provide(telephony({ network, attempts: stuck })),
          Effect.fork
        )
        yield* BusinessTime.sleep("1 second")
        const outcome = yield* Effect.gen(function*() {
          yield* (yield* AttemptStore).insertMany([attempt])
          return yield* outcomeOf(yield* (yield* Calls).recover(attempt, { mayDial: Effect.succeed(true) }))
        }).pipe(Effect.provide(telephony({ network })))
        assert.strictEqual(word(outcome), "connected")
        assert.lengthOf(yield* network.calls, 1)
      })
  )
})
