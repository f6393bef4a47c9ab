import { assert, describe } from "@effect/vitest"
import { BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Effect, Fiber, Layer, Schema } from "effect"
import {
  AttemptStore,
  CallSlots,
  CreateOutbound,
  Deployments,
  InboundCalls,
  LiveCalls,
  Outbounds,
  SimulatedNetwork
} from "../src/index.js"
import { caller, connection, deploymentBody, line, scope, telephony } from "./Fixtures.js"

const body = (index: number) =>
  Schema.decodeUnknownSync(CreateOutbound)({
    app_config: {
      app_id: "support",
      app_version: 1,
      connection_config: { connection_id: "sim-1", agent_phone_number: line }
    },
    user_config: { user_phone_number: `+9198765${String(index).padStart(5, "0")}` }
  })

/** An attempt store with some methods replaced. */
const storeWith = (change: (store: typeof AttemptStore.Service) => Partial<typeof AttemptStore.Service>) =>
  Layer.effect(AttemptStore, Effect.map(AttemptStore, (store) => ({ ...store, ...change(store) })))

describe("telephony with failing stores and closed calls", () => {
  virtualTest("dials no waiting call after it was closed", () =>
    Effect.gen(function*() {
      const outbounds = yield* Outbounds
      yield* Effect.forkScoped(outbounds.run)
      yield* Effect.forEach(Array.from({ length: 20 }, (_, index) => index), (index) =>
        outbounds.start(scope, body(index)))
      yield* BusinessTime.sleep("1 second")
      const live = yield* LiveCalls
      assert.strictEqual(yield* live.count, 2)
      yield* live.close
      yield* BusinessTime.sleep("1 hour")
      const waiting = yield* (yield* AttemptStore).unfinished
      assert.deepStrictEqual(
        waiting.map(({ state }) =>
          state
        ),
        Array.from({ length: 18 }, () => "pending")
      )
      assert.strictEqual(yield* (yield* CallSlots).inUse(scope), 0)
    }).pipe(Effect.scoped, Effect.provide(telephony({ maxConcurrentCalls: 2 }))))

  virtualTest("rejects a caller whose call cannot be recorded", () =>
    Effect.gen(function*() {
      const network = yield* SimulatedNetwork
      yield* Effect.forkScoped((yield* InboundCalls).run)
      yield* (yield* Deployments).create(scope, deploymentBody(), "demo")
      const call = yield* Effect.fork(network.callIn({ connection, from: caller, to: line }))
      assert.deepStrictEqual(yield* Fiber.join(call), { accepted: false, reason: "internal" })
      assert.strictEqual(yield* (yield* CallSlots).inUse(scope), 0)
    }).pipe(
      Effect.scoped,
      Effect.provide(telephony({ attempts: storeWith(() => ({ insertMany: () => Effect.die("the disk is full") })) }))
    ))

  virtualTest("retries until a result can be stored", () => {
    let broken = true
    const attempts = storeWith((store) => ({
      endMany: (...args) => Effect.suspend(() => broken ? Effect.die("the disk is full") : store.endMany(...args))
    }))
    return Effect.gen(function*() {
      const outbounds = yield* Outbounds
      yield* Effect.forkScoped(outbounds.run)
      yield* outbounds.start(scope, body(1))
      yield* BusinessTime.sleep("1 hour")
      assert.strictEqual((yield* (yield* AttemptStore).unfinished).length, 1)
      broken = false
      yield* BusinessTime.sleep("1 minute")
      assert.deepStrictEqual(yield* (yield* AttemptStore).unfinished, [])
    }).pipe(Effect.scoped, Effect.provide(telephony({ attempts })))
  })
})
