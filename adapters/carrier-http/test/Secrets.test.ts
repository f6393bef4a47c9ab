import { assert, describe, it } from "@effect/vitest"
import type { Fault, Route } from "@trunkline/carrier-http/testing"
import type { DialFailed, LookupFailed } from "@trunkline/telephony"
import { Duration, Effect, Logger, LogLevel } from "effect"
import { carrierTo, connectionTo, events, eventsSecret, lookupDedupe, planFor } from "./World.js"

const number = "+919876501234"
const talkative = { error: { code: `no route to ${number} with double-key` } }

/** Provider failures whose responses contain sensitive data. */
const faults: ReadonlyArray<readonly [Route, Fault]> = [
  ["create", { kind: "status", when: "before", status: 422, body: talkative }],
  ["create", { kind: "status", when: "before", status: 503, body: { error: { ...talkative.error, taken: false } } }],
  ["create", { kind: "cut", when: "after" }],
  ["create", { kind: "endless", when: "after" }],
  ["list", { kind: "status", when: "before", status: 400, body: talkative }],
  ["list", { kind: "garbage", when: "after" }]
]

describe("keys, numbers and addresses", () => {
  it.scopedLive("appear in no error and no log, whatever the provider responds", () =>
    Effect.gen(function*() {
      const { carrier, connection, provider } = yield* carrierTo(
        { default: { kind: "busy", afterMillis: 0 } },
        lookupDedupe
      )
      const logs: Array<string> = []
      const log = Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ cause, message }) => logs.push(JSON.stringify([message, cause])))
      )
      yield* Effect.gen(function*() {
        for (const [route, fault] of faults) {
          provider.injectFault(route, fault)
          const plan = planFor(connection, number)
          const operation: Effect.Effect<unknown, DialFailed | LookupFailed> = route === "create"
            ? carrier.place(plan)
            : carrier.lookup({ ...plan, provider_call_id: null })
          logs.push(JSON.stringify(yield* Effect.flip(operation)))
        }
        for (const status of [400, 400, 500, 500, 500]) {
          provider.injectFault("hang-up", { kind: "status", when: "before", status })
        }
        const { answer, cancel } = yield* carrier.place(planFor(connection, number))
        yield* Effect.all([cancel, cancel], { discard: true })
        logs.push(JSON.stringify(yield* Effect.flip(answer)))
        const nowhere = connectionTo("http://127.0.0.1:9/very-private-path", { ...lookupDedupe, timeouts_: number })
        logs.push(JSON.stringify(yield* Effect.flip(carrier.place(planFor(nowhere, number)))))
      }).pipe(Logger.withMinimumLogLevel(LogLevel.All), Effect.provide(log))

      assert.isAbove(logs.length, faults.length + 3)
      const { port } = new URL(provider.url)
      for (const secret of ["double-key", eventsSecret, number.slice(1), "127.0.0.1", port, "very-private-path"]) {
        assert.notInclude(logs.join("\n"), secret)
      }
    }).pipe(Effect.provide(events)))

  it.scopedLive("are sent where they belong: the key in the header, the number in the body", () =>
    Effect.gen(function*() {
      const { carrier, connection, provider } = yield* carrierTo()
      const plan = { ...planFor(connection, number), ringTimeout: Duration.seconds(33) }
      yield* carrier.place(plan)
      const [request] = provider.requests
      assert.strictEqual(request?.headers.authorization, "Bearer double-key")
      assert.strictEqual(request?.headers["idempotency-key"], plan.attempt_id)
      assert.strictEqual(request?.headers["ring-seconds"], "33")
      assert.deepStrictEqual(JSON.parse(request?.body ?? ""), {
        attempt_id: plan.attempt_id,
        connection_id: "line-1",
        from: "+911140000001",
        to: number
      })
    }).pipe(Effect.provide(events)))
})
