import { assert, describe, it } from "@effect/vitest"
import { CarrierHttp } from "@trunkline/carrier-http"
import type { DoubleProvider, Fault } from "@trunkline/carrier-http/testing"
import type { Carrier, DialPlan } from "@trunkline/telephony"
import { Duration, Effect, Either } from "effect"
import { carrierTo, connectionTo, environment, events, impatient, keyed, planFor } from "./World.js"

const after = (status: number, body: unknown = {}): Fault => ({ kind: "status", when: "after", status, body })
const before = (status: number, body: unknown = {}): Fault => ({ kind: "status", when: "before", status, body })

const placed = (carrier: Carrier, plan: DialPlan) =>
  Effect.map(
    Effect.either(carrier.place(plan)),
    (result) => Either.isRight(result) ? "taken" : [result.left.certainty, result.left.reason]
  )

const dialsOf = (provider: DoubleProvider, { attempt_id }: DialPlan) =>
  provider.journal.dialsByAttempt.get(attempt_id) ?? 0

/** Fault, expected error, and number of dials. */
const rows: ReadonlyArray<readonly [what: string, fault: Fault, outcome: unknown, dials: 0 | 1]> = [
  ["400 with a code", before(400, { error: { code: "bad_number" } }), ["provider", "http: bad_number"], 0],
  ["422 without a code", before(422), ["provider", "http: status 422"], 0],
  [
    "a code that may contain a number",
    before(422, { error: { code: "+919876543210" } }),
    ["provider", "http: status 422"],
    0
  ],
  ["401", before(401), ["provider", "http: the API key was rejected"], 0],
  ["403 with a code", before(403, { error: { code: "suspended" } }), ["provider", "http: suspended"], 0],
  ["429", before(429), ["provider", "http: too many requests"], 0],
  ["503 that states that nothing was dialled", before(503, { error: { code: "no_line", taken: false } }), [
    "provider",
    "http: no_line"
  ], 0],
  ["a redirect of an unprocessed request", before(307), ["provider", "http: redirected (status 307)"], 0],
  ["a redirect that may follow a processed request", after(303), ["unknown", "unknown: status 303"], 1],
  ["500 without a statement", after(500), ["unknown", "unknown: status 500"], 1],
  ["502 of a gateway", after(502), ["unknown", "unknown: status 502"], 1],
  ["503 without a statement", after(503), ["unknown", "unknown: status 503"], 1],
  ["408 of a gateway", after(408), ["unknown", "unknown: status 408"], 1],
  ["409 while a request with the key is in progress", after(409), ["unknown", "unknown: status 409"], 1],
  [
    "a connection closed before dialling",
    { kind: "cut", when: "before" },
    ["unknown", "unknown: the connection was closed"],
    0
  ],
  [
    "a connection closed after dialling",
    { kind: "cut", when: "after" },
    ["unknown", "unknown: the connection was closed"],
    1
  ],
  ["no response", { kind: "hang", when: "after" }, ["unknown", "unknown: no complete response in time"], 1],
  ["a response that is not JSON", { kind: "garbage", when: "after" }, [
    "unknown",
    "unknown: the response to the dial is not valid"
  ], 1],
  ["an endless response", { kind: "endless", when: "after" }, [
    "unknown",
    "unknown: a response of more than 1048576 bytes"
  ], 1],
  ["a late response", { kind: "late", when: "after", millis: 300 }, "taken", 1]
]

describe("a create request", () => {
  for (const [what, fault, outcome, dials] of rows) {
    it.scopedLive(`that gets ${what} is sent once and reported accurately`, () =>
      Effect.gen(function*() {
        const { carrier, connection, provider } = yield* carrierTo({}, fault.kind === "hang" ? impatient : {})
        provider.injectFault("create", fault)
        const plan = planFor(connection)
        assert.deepStrictEqual(yield* placed(carrier, plan), outcome)
        assert.strictEqual(provider.requests.length, 1)
        assert.strictEqual(dialsOf(provider, plan), dials)
      }).pipe(Effect.provide(events)))
  }

  it.scopedLive("to an unreachable provider was certainly not dialled", () =>
    Effect.gen(function*() {
      const carrier = yield* CarrierHttp.make(environment)
      const place = (base_url: string) => placed(carrier, planFor(connectionTo(base_url)))
      assert.deepStrictEqual(yield* place("http://127.0.0.1:9"), [
        "provider",
        "http: the provider is unreachable: the connection was refused"
      ])
      assert.deepStrictEqual(yield* place("http://no-such-host.invalid"), [
        "provider",
        "http: the provider is unreachable: its host name does not resolve"
      ])
    }).pipe(Effect.provide(events)))

  it.scopedLive("is not sent when the connection's options are invalid", () =>
    Effect.gen(function*() {
      const carrier = yield* CarrierHttp.make(environment)
      const connection = connectionTo("http://127.0.0.1:9", { api_key_env: "NO_SUCH_VARIABLE" })
      assert.deepStrictEqual(yield* placed(carrier, planFor(connection)), [
        "provider",
        "http: the connection's options are invalid"
      ])
    }).pipe(Effect.provide(events)))
})

/** Faults that leave the dial unclear; a retry with the same key resolves them. */
const doubts: ReadonlyArray<readonly [what: string, fault: Fault]> = rows.flatMap(([what, fault, outcome]) =>
  Array.isArray(outcome) && outcome[0] === "unknown" && fault.kind !== "hang" ? [[what, fault]] : []
)

describe("a provider with idempotency keys", () => {
  for (const [what, fault] of doubts) {
    it.scopedLive(`gets a retry with the same bytes after ${what} and has dialled once`, () =>
      Effect.gen(function*() {
        const { carrier, connection, provider } = yield* carrierTo({}, keyed)
        provider.injectFault("create", fault)
        provider.injectFault("create", fault)
        const plan = planFor(connection)
        assert.strictEqual(yield* placed(carrier, plan), "taken")
        assert.strictEqual(provider.requests.length, 3)
        assert.lengthOf(new Set(provider.requests.map(({ body }) => body)), 1)
        assert.lengthOf(new Set(provider.requests.map(({ headers }) => headers["idempotency-key"])), 1)
        assert.strictEqual(dialsOf(provider, plan), 1)
      }).pipe(Effect.provide(events)))
  }

  it.scopedLive("cannot refuse conclusively after a lost response: only a created call is conclusive", () =>
    Effect.gen(function*() {
      const { carrier, connection, provider } = yield* carrierTo({}, { ...keyed, ...impatient })
      provider.injectFault("create", { kind: "cut", when: "after" })
      for (let times = 0; times < 9; times++) {
        provider.injectFault("create", before(422, { error: { code: "not_now" } }))
      }
      const plan = planFor(connection)
      assert.deepStrictEqual(yield* placed(carrier, plan), ["unknown", "unknown: not_now"])
      assert.strictEqual(dialsOf(provider, plan), 1)
    }).pipe(Effect.provide(events)))

  it.scopedLive("gets the same bytes from another process with a changed configuration", () =>
    Effect.gen(function*() {
      const { carrier, connection, provider } = yield* carrierTo({}, keyed)
      const plan = planFor(connection)
      const first = yield* carrier.place(plan)
      const other = yield* CarrierHttp.make(environment)
      const changed = connectionTo(provider.url, { ...keyed, poll_seconds: 9 })
      const second = yield* other.place({ ...plan, connection: changed, ringTimeout: Duration.minutes(5) })
      assert.strictEqual(second.provider_call_id, first.provider_call_id)
      const requests = provider.journal.entries.flatMap(({ what }) =>
        what === "dial" || what === "repeat" ? [what] : []
      )
      assert.deepStrictEqual(requests, ["dial", "repeat"])
    }).pipe(Effect.provide(events)))
})
