import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import {
  CallSlots,
  type Carrier,
  type CarrierLineState,
  Carriers,
  LineDetail,
  LineHealth,
  Lines,
  SimulatedNetwork
} from "@trunkline/telephony"
import { Chunk, Duration, Effect, Fiber, Layer, Ref, Schema, Stream } from "effect"
import { connection, line, scope, secondLine, telephony } from "./Fixtures.js"

const registered: CarrierLineState = {
  registration: { status: "registered", registered_until: 3_600_000 },
  reachable: true,
  last_failure: null,
  lateness_millis: 0.4
}

const lost: CarrierLineState = {
  ...registered,
  registration: { status: "failed", registered_until: null },
  reachable: false,
  last_failure: { at: 5_000, reason: "the registrar refused with 403" }
}

/** Lines whose carrier tells the state in a reference. */
const world = (carrierState?: Ref.Ref<CarrierLineState>) =>
  Layer.unwrapEffect(Effect.gen(function*() {
    const network = yield* SimulatedNetwork
    const carrier: Carrier = carrierState === undefined
      ? network.carrier
      : { ...network.carrier, lineState: () => Ref.get(carrierState) }
    return Lines.layer.pipe(
      Layer.provide(Carriers.layerOf([carrier])),
      Layer.provideMerge(telephony({ carrier, network }))
    )
  })).pipe(Layer.provide(SimulatedNetwork.layer()))

const encode = Schema.encodeSync(LineDetail)

describe("the lines of a workspace", () => {
  virtualTest(
    "are listed with their numbers, calls and health, and nothing that their carrier does not know",
    () =>
      Effect.gen(function*() {
        const slots = yield* CallSlots
        yield* slots.take(scope, connection, { _tag: "Single" })
        yield* (yield* LineHealth).rest(
          connection.connection_id,
          Duration.seconds(20),
          "the provider asked for a pause"
        )
        const [detail] = yield* (yield* Lines).list(scope)
        assert.deepStrictEqual(detail && encode(detail), {
          connection_id: "sim-1",
          provider: "simulator",
          phone_numbers: [line, secondLine],
          max_channels: 5,
          health: "paused",
          paused_until: "1970-01-01T00:00:20.000Z",
          reason: "the provider asked for a pause",
          calls: 1,
          registration: null,
          reachable: null,
          last_failure: null,
          lateness_milliseconds: null
        })
      }).pipe(Effect.provide(world()))
  )

  virtualTest("tell their registration, and the last failure", () =>
    Effect.gen(function*() {
      const state = yield* Ref.make(lost)
      const [detail] = yield* Effect.provide(Effect.flatMap(Lines, ({ list }) => list(scope)), world(state))
      assert.deepInclude(detail && encode(detail), {
        registration: { status: "failed", registered_until: null },
        reachable: false,
        last_failure: { at: "1970-01-01T00:00:05.000Z", reason: "the registrar refused with 403" },
        lateness_milliseconds: 0.4
      })
    }))

  virtualTest("are watched: each change of their state is told once, and calls are not", () =>
    Effect.gen(function*() {
      const state = yield* Ref.make(registered)
      yield* Effect.gen(function*() {
        const lines = yield* Lines
        const watching = yield* Effect.fork(Stream.runCollect(Stream.take(lines.changes(scope), 2)))
        yield* Effect.sleep("3 seconds")
        yield* (yield* CallSlots).take(scope, connection, { _tag: "Single" })
        yield* Ref.set(state, { ...registered, lateness_millis: 3 })
        yield* Effect.sleep("3 seconds")
        yield* Ref.set(state, lost)
        yield* Effect.sleep("3 seconds")
        yield* Ref.set(state, registered)
        const told = Chunk.toReadonlyArray(yield* Fiber.join(watching))
        assert.deepStrictEqual(told.map(({ calls, registration }) => [registration?.status, calls]), [
          ["failed", 1],
          ["registered", 1]
        ])
      }).pipe(Effect.provide(world(state)))
    }))
})
