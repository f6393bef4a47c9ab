import { assert, describe } from "@effect/vitest"
import { AttemptId, BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import {
  AttemptStore,
  CallEvents,
  Calls,
  type Dedupe,
  type DialFault,
  type Recovered,
  SimulatedNetwork
} from "@trunkline/telephony"
import { Duration, Effect } from "effect"
import { attemptInProgress } from "../AttemptInProgress.js"
import { telephony } from "../Fixtures.js"
import { key, lookup, minute, none, outcomeOf, type Past, recovered, word, type World } from "./RecoveryFixtures.js"

const keyAndLookup: Dedupe = { ...key, settle: minute }

const sent: Past = { state: "claimed", requested: true }

const notSent: Past = { state: "claimed", requested: false }

const accepted: Past = { state: "accepted", requested: true }

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
  [`${dedupe._tag}: still ringing, continues`, { dedupe, past: accepted }, "GoesOn", "connected", 1],
  [
    `${dedupe._tag}: connected to a stopped process`,
    {
      dedupe,
      past: { ...accepted, talking: true }
    },
    "Ended",
    "internal",
    1
  ],
  [`${dedupe._tag}: busy`, { dedupe, callee: "busy", past: { ...accepted, secondsAgo: 9 } }, "Ended", "busy", 1],
  [
    `${dedupe._tag}: not known to the provider`,
    { dedupe, past: { ...accepted, requested: false } },
    "Ended",
    "internal",
    0
  ]
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
          if (outcome === "connected") assert.strictEqual(seen.stored.state, "accepted")
        }))
    }
  }

  virtualTest(
    "is looked up only after the settle time, which all attempts share",
    () =>
      Effect.gen(function*() {
        const [calls, store] = [yield* Calls, yield* AttemptStore]
        const attempt = attemptInProgress("claimed")
        yield* store.insertMany([attempt])
        const options = { mayDial: Effect.succeed(true) }
        const start = yield* BusinessTime.now
        yield* calls.recover(attempt, options)
        assert.strictEqual((yield* BusinessTime.now) - start, 60_000)
        yield* calls.recover(attempt, options)
        assert.strictEqual((yield* BusinessTime.now) - start, 60_000)
      }).pipe(Effect.provide(telephony({ simulator: { dedupe: lookup } })))
  )

  virtualTest(
    "is over at once where calls end with their process, so that its slot is free",
    () =>
      Effect.gen(function*() {
        const network = yield* SimulatedNetwork
        const took = (inProcess: boolean) =>
          Effect.gen(function*() {
            const [calls, store] = [yield* Calls, yield* AttemptStore]
            const attempt = attemptInProgress("accepted", { provider_call_id: "sip-1" })
            yield* store.insertMany([attempt])
            const start = yield* BusinessTime.now
            const result = yield* calls.recover(attempt, { mayDial: Effect.succeed(true) })
            assert.strictEqual(word(yield* outcomeOf(result)), "internal")
            return (yield* BusinessTime.now) - start
          }).pipe(Effect.provide(telephony({ carrier: { ...network.carrier, inProcess }, network })))
        assert.strictEqual(yield* took(true), 0)
        assert.strictEqual(yield* took(false), 60_000)
      }).pipe(Effect.provide(SimulatedNetwork.layer({ dedupe: none })))
  )

  virtualTest("is not abandoned when the provider shows the call with a delay", () =>
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
    "that was accepted is abandoned after the maximum duration when the provider is unreachable",
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
        assert.strictEqual(seen.stored.state, "accepted")
      })
  )

  virtualTest("is not considered rejected when only the redial is rejected", () =>
    Effect.gen(function*() {
      const rejectingRedials = () => {
        let dials = 0
        return { fault: () => Effect.sync((): DialFault | null => dials++ === 0 ? null : { _tag: "Refused" }) }
      }
      const seen = yield* recovered({ dedupe: key, past: sent, simulator: rejectingRedials() })
      assert.strictEqual(word(seen.outcome), "unknown")
      assert.lengthOf(seen.calls, 1)
      const lookedUp = yield* recovered({
        dedupe: keyAndLookup,
        callee: "busy",
        past: sent,
        simulator: rejectingRedials()
      })
      assert.strictEqual(word(lookedUp.outcome), "busy")
    }))

  virtualTest("is placed with its key as soon as the provider responds again", () =>
    Effect.gen(function*() {
      let dials = 0
      const fault = () => Effect.sync((): DialFault | null => ++dials < 6 ? { _tag: "FailedBefore" } : null)
      const seen = yield* recovered({ dedupe: key, past: notSent, simulator: { fault } })
      assert.strictEqual(word(seen.outcome), "connected")
      assert.lengthOf(seen.calls, 1)
    }))
})

describe("a key that is abandoned after a redial", () => {
  virtualTest("is followed by another settle time, since the provider may accept the last request", () => {
    const late: DialFault = { _tag: "Late", after: Duration.seconds(45) }
    let dials = 0
    return Effect.gen(function*() {
      const [network, calls, store] = [yield* SimulatedNetwork, yield* Calls, yield* AttemptStore]
      const disallowed = { mayDial: Effect.succeed(false) }
      const other = attemptInProgress("claimed", { attempt_id: AttemptId.make("018f9430-0000-7000-8000-000000000002") })
      assert.strictEqual((yield* calls.recover(other, disallowed))._tag, "Redial")
      const attempt = attemptInProgress("claimed")
      yield* store.insertMany([attempt])
      const once = { mayDial: Effect.sync(() => dials === 0) }
      assert.strictEqual((yield* calls.recover(attempt, once))._tag, "Ended")
      assert.lengthOf(yield* network.calls, 1)
    }).pipe(Effect.provide(telephony({
      simulator: {
        dedupe: keyAndLookup,
        fault: () =>
          Effect.sync(() => {
            dials += 1
            return late
          })
      }
    })))
  })
})
