import { assert, describe } from "@effect/vitest"
import { ExchangeFailed, type WholeResponse } from "@trunkline/http-client"
import { ConnectionId } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Connection, type Dedupe } from "@trunkline/telephony"
import { Duration, Effect } from "effect"
import type { ApiClient } from "../src/rest/ApiClient.js"
import { createCall } from "../src/rest/CreateCall.js"
import { callAt, lineOf, ours } from "./smartflo/Line.js"

const connection = new Connection({
  connection_id: ConnectionId.make("line-1"),
  provider: "smartflo",
  phone_numbers: [ours],
  options: {}
})

/** A client of an API that takes three seconds for each response, and the seconds that each request was given. */
const clientOf = (response: Partial<WholeResponse> | null) => {
  const given: Array<number> = []
  const client: ApiClient = {
    line: { ...lineOf(), provider: "smartflo", connection },
    send: (_, seconds) => {
      given.push(Math.round(seconds * 10) / 10)
      return Effect.delay(
        response === null
          ? new ExchangeFailed({ isSent: true, status: null, reason: "no response" })
          : Effect.succeed({ headers: {}, json: undefined, status: 500, ...response }),
        Duration.seconds(Math.min(3, seconds))
      )
    }
  }
  return { client, given }
}

const withKey: Dedupe = { _tag: "Key", ttl: Duration.seconds(60) }

describe("a call that a provider is asked for", () => {
  virtualTest(
    "is asked for again with its key until the time for it is over, and never after it",
    () =>
      Effect.gen(function*() {
        for (const response of [null, { status: 503 }]) {
          const { client, given } = clientOf(response)
          const [took, failed] = yield* Effect.timed(Effect.flip(createCall(client, withKey, callAt(0))))
          assert.deepStrictEqual(given, [9, 5.9, 2.6])
          assert.strictEqual(failed.certainty, "unknown")
          assert.closeTo(Duration.toMillis(took), 9_000, 50)
        }
      })
  )

  virtualTest("is asked for once without a key", () =>
    Effect.gen(function*() {
      const { client, given } = clientOf(null)
      assert.strictEqual((yield* Effect.flip(createCall(client, { _tag: "None" }, callAt(0)))).certainty, "unknown")
      assert.deepStrictEqual(given, [9])
    }))

  virtualTest("rests until a moment that the provider names, by the clock of the engine", () =>
    Effect.gen(function*() {
      const { client } = clientOf({ status: 429, headers: { "retry-after": new Date(63_000).toUTCString() } })
      const failed = yield* Effect.flip(createCall(client, withKey, callAt(0)))
      assert.strictEqual(failed.certainty, "provider")
      assert.strictEqual(failed.retryAfter, 60)
    }), { start: 0 })
})
