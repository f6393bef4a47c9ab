import { assert, describe } from "@effect/vitest"
import { NotAnswered } from "@trunkline/telephony"
import { Effect } from "effect"
import { hasTools } from "../../src/testing/PeerProcess.js"
import { type SippOptions, startSipp } from "../../src/testing/Sipp.js"
import {
  authenticate,
  bodyHas,
  headerHas,
  pause,
  receive,
  request,
  respond,
  sdp,
  type Step
} from "../../src/testing/SippScenario.js"
import { answering, carrierOf, connectionTo, lineOf, liveTests, ourNumber, watch } from "../peers/World.js"

const live = liveTests()

const allowed = { inbound: { allow: ["127.0.0.1"], aliases: { desk: ourNumber }, country: "IN" } }

/** A carrier whose line is called; `call` starts sipp with some steps. */
const world = (options: Readonly<Record<string, unknown>> = allowed) =>
  Effect.gen(function*() {
    const connection = connectionTo(9, options)
    const carrier = yield* carrierOf(connection)
    const remote = carrier.ports.get(connection.connection_id) ?? 0
    const call = (steps: ReadonlyArray<Step>, more: Partial<SippOptions> = {}) =>
      startSipp({ remote, steps, service: ourNumber, ...more })
    return { carrier, call }
  })

const invite = (options: Parameters<typeof request>[1] = {}) =>
  request("INVITE", { inDialog: false, body: sdp(), ...options })

const trying = receive(100, { optional: true })
const ringing = receive(180, { optional: true })
const acknowledge = request("ACK", { cseq: 1 })
/** Acknowledges a refusal. */
const acknowledgeRefusal = request("ACK", { uri: `sip:${ourNumber}@[remote_ip]:[remote_port]`, repeatsVia: true })

const isRefused = (
  status: number,
  action = ""
) => [invite(), trying, ringing, receive(status, { action }), acknowledgeRefusal]

describe.skipIf(!hasTools("sipp"))("a call from sipp", () => {
  live("is offered with both numbers, answered, and ended by the caller", () =>
    Effect.gen(function*() {
      const { call, carrier } = yield* world()
      const ended: Array<string> = []
      yield* answering(carrier, (offer) =>
        Effect.gen(function*() {
          ended.push(offer.from, offer.to)
          ended.push(yield* watch(lineOf(yield* offer.accept)).ended)
        }))
      const caller = yield* call([
        invite(),
        trying,
        receive(180),
        receive(200, { action: bodyHas("RTP/AVP 0 101") }),
        acknowledge,
        pause(200),
        request("BYE", { cseq: 2 }),
        receive(200)
      ])
      yield* caller.outcome
      assert.deepStrictEqual(ended, ["+919876543210", ourNumber, "user"])
    }))

  live("may dial an alias over TCP, and is ended by the agent", () =>
    Effect.gen(function*() {
      const { call, carrier } = yield* world()
      yield* answering(carrier, (offer) =>
        Effect.flatMap(offer.accept, (line) => Effect.delay(line.hangUp, "200 millis")))
      const caller = yield* call([
        invite({ to: "desk" }),
        trying,
        ringing,
        receive(200),
        acknowledge,
        receive("BYE"),
        respond(200, { tag: false })
      ], { transport: "tcp" })
      yield* caller.outcome
    }))

  live("may leave the offer to us", () =>
    Effect.gen(function*() {
      const { call, carrier } = yield* world()
      yield* answering(carrier, (offer) =>
        Effect.flatMap(offer.accept, (line) => Effect.delay(line.hangUp, "200 millis")))
      const caller = yield* call([
        invite({ body: [] }),
        trying,
        ringing,
        receive(200, { action: bodyHas("RTP/AVP 0 8 101") }),
        request("ACK", { cseq: 1, body: sdp() }),
        receive("BYE"),
        respond(200, { tag: false })
      ])
      yield* caller.outcome
    }))

  live("gets the answer again when its acknowledgement is lost", () =>
    Effect.gen(function*() {
      const { call, carrier } = yield* world()
      yield* answering(carrier, (offer) => offer.accept)
      const caller = yield* call([
        invite(),
        trying,
        ringing,
        receive(200),
        pause(600),
        acknowledge,
        request("BYE", { cseq: 2 }),
        receive(200)
      ])
      yield* caller.outcome
    }))

  live("may be given up before the answer", () =>
    Effect.gen(function*() {
      const { call, carrier } = yield* world()
      const failures: Array<unknown> = []
      yield* answering(carrier, (offer) =>
        Effect.tapError(Effect.delay(offer.accept, "400 millis"), (failure) =>
          Effect.sync(() =>
            failures.push(failure)
          )))
      const caller = yield* call([
        invite(),
        receive(100),
        request("CANCEL", { cseq: 1, inDialog: false, repeatsVia: true }),
        receive(200),
        receive(487),
        acknowledgeRefusal,
        pause(500)
      ])
      yield* caller.outcome
      assert.deepStrictEqual(failures, [new NotAnswered({ status: "no_answer", reason: "cancelled" })])
    }))
})

describe.skipIf(!hasTools("sipp"))("a call from sipp that is not taken", () => {
  for (
    const [reason, status] of [
      ["no_deployment", 404],
      ["deployment_paused", 480],
      ["outside_schedule", 480],
      ["no_capacity", 486]
    ] as const
  ) {
    live(`is refused with ${status}: ${reason}`, () =>
      Effect.gen(function*() {
        const { call, carrier } = yield* world()
        yield* answering(carrier, ({ reject }) => reject(reason))
        yield* (yield* call(isRefused(status))).outcome
      }))
  }

  live("is refused for what it asks: another number, codec, body or extension", () =>
    Effect.gen(function*() {
      const { call } = yield* world()
      const refusals: ReadonlyArray<readonly [Step, number]> = [
        [invite({ to: "+911140009999" }), 404],
        [invite({ body: sdp({ codecs: "9" }) }), 488],
        [invite({ body: ["hello"], type: "text/plain" }), 415],
        [invite({ headers: ["Require: gruu"] }), 420]
      ]
      for (const [step, status] of refusals) {
        const caller = yield* call([step, trying, ringing, receive(status), acknowledgeRefusal])
        yield* caller.outcome
      }
    }))

  live(
    "is refused from an address that is not allowed, and everywhere without an allow-list",
    () =>
      Effect.gen(function*() {
        const other = yield* world({ inbound: { allow: ["192.0.2.1"] } })
        yield* (yield* other.call(isRefused(403))).outcome
        const closed = yield* world({})
        yield* (yield* closed.call(isRefused(403))).outcome
      })
  )

  live("is refused when its address begins too many", () =>
    Effect.gen(function*() {
      const { call, carrier } = yield* world({ inbound: { allow: ["127.0.0.1"], invites_per_second: 0.5 } })
      yield* answering(carrier, ({ reject }) => reject("no_capacity"))
      yield* (yield* call(isRefused(486))).outcome
      yield* (yield* call(isRefused(503, headerHas("Retry-After:", "10")))).outcome
    }))
})

describe.skipIf(!hasTools("sipp"))("a phone that logs in by digest", () => {
  const digest = { realm: "desk", users: [{ user: "1001", password_env: "PHONE_PASSWORD" }], algorithms: ["MD5"] }
  const login = (password: string, status: number): ReadonlyArray<Step> => [
    invite(),
    trying,
    receive(401, { auth: true }),
    acknowledgeRefusal,
    invite({ cseq: 2, headers: [authenticate("1001", password)] }),
    trying,
    ringing,
    receive(status)
  ]

  live("is taken with its password, and asked again with a wrong one", () =>
    Effect.gen(function*() {
      const { call, carrier } = yield* world({ inbound: { digest } })
      yield* answering(carrier, (offer) => offer.accept)
      const right = yield* call([
        ...login("phone-secret", 200),
        request("ACK", { cseq: 2 }),
        request("BYE", { cseq: 3 }),
        receive(200)
      ])
      yield* right.outcome
      const wrong = yield* call(login("guess", 401))
      yield* wrong.outcome
    }))
})
