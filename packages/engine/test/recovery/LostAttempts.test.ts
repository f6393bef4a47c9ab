import { assert, describe } from "@effect/vitest"
import { BusinessTime, findOne } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { AttemptStore, CreateOutbound, SimulatedNetwork } from "@trunkline/telephony"
import { Effect, Layer, Option, Schema } from "effect"
import { Engine } from "../../src/index.js"
import { mondayMorning, scope } from "../Fixtures.js"
import { agent_phone_number, callInProgress, dialled, id, key, restarted } from "./RecoveryFixtures.js"

const outbound = (user_phone_number: string) =>
  Schema.decodeUnknownSync(CreateOutbound)({
    app_config: {
      app_id: "collections",
      app_version: 1,
      connection_config: { connection_id: "sim-1", agent_phone_number }
    },
    user_config: { user_phone_number }
  })

describe("a running engine", () => {
  virtualTest(
    "dials an attempt once whose claim was stored although the answer to it was lost",
    () =>
      Effect.gen(function*() {
        const network = yield* SimulatedNetwork.make({ dedupe: key })
        const lost = Effect.gen(function*() {
          const store = yield* AttemptStore
          yield* BusinessTime.sleep("10 seconds")
          yield* store.insertMany([callInProgress("claimed")])
          yield* BusinessTime.sleep("10 minutes")
          return Option.getOrThrow(yield* findOne(store.findMany, id))
        })
        const attempt = yield* restarted({ network, leftOver: Layer.empty }, lost)
        assert.strictEqual(attempt.result?.connectivity_status, "connected")
        assert.deepStrictEqual(yield* dialled(network), [id])
      }),
    { start: mondayMorning }
  )

  virtualTest(
    "leaves claimed attempts alone that are being called, and those that wait",
    () =>
      Effect.gen(function*() {
        // Without an answer, a call takes 40 seconds; with one line for six of them, the last ones wait for minutes.
        const network = yield* SimulatedNetwork.make({ dedupe: key, default: "no_answer" })
        const calls = Effect.gen(function*() {
          const { outbounds } = yield* Engine
          const numbers = ["9876543211", "9876543212", "9876543213", "9876543214", "9876543215", "9876543216"]
          const ids = yield* Effect.forEach(numbers, (number) => outbounds.start(scope, outbound(number)))
          yield* BusinessTime.sleep("10 minutes")
          return ids
        })
        const ids = yield* restarted({ network, leftOver: Layer.empty, maxConcurrentCalls: 1 }, calls)
        assert.sameMembers([...(yield* dialled(network))], [...ids])
      }),
    { start: mondayMorning }
  )
})
