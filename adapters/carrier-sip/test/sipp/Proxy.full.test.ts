import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { startKamailio } from "../../src/testing/Kamailio.js"
import { hasTools } from "../../src/testing/PeerProcess.js"
import { startSipp } from "../../src/testing/Sipp.js"
import { pause, receive, receiveCall, request, requestOfCallee, respond, sdp } from "../../src/testing/SippScenario.js"
import {
  answering,
  carrierOf,
  connectionTo,
  environment,
  lineOf,
  liveTests,
  ourNumber,
  planFor,
  watch
} from "../peers/World.js"

const live = liveTests()

/** A line that registers at kamailio over TCP, and calls `route-PORT` numbers through it. */
const world = (calleePort = 0) =>
  Effect.gen(function*() {
    const proxy = yield* startKamailio({ password: environment.TRUNK_PASSWORD })
    const connection = connectionTo(proxy.port, {
      server: `sip:127.0.0.1:${proxy.port};transport=tcp`,
      credentials: { user: "trunk", password_env: "TRUNK_PASSWORD" },
      register: {},
      to_uri: `sip:route-${calleePort}{digits}@{server}`,
      inbound: { allow: ["127.0.0.1"], aliases: { trunk: ourNumber } }
    })
    return { carrier: yield* carrierOf(connection), connection, proxy }
  })

describe.skipIf(!hasTools("sipp", "kamailio"))("a line behind kamailio", () => {
  live("is registered over TCP and called over UDP", () =>
    Effect.gen(function*() {
      const { carrier, proxy } = yield* world()
      yield* answering(carrier, (offer) =>
        Effect.flatMap(offer.accept, (line) => Effect.delay(line.hangUp, "300 millis")))
      yield* Effect.sleep("1 second")
      const caller = yield* startSipp({
        remote: proxy.port,
        service: "trunk",
        steps: [
          request("INVITE", { inDialog: false, body: sdp() }),
          receive(100, { optional: true }),
          receive(180, { optional: true }),
          receive(200),
          request("ACK"),
          receive("BYE"),
          respond(200, { tag: false })
        ]
      })
      yield* caller.outcome
    }))

  live("calls through it, and is hung up by the callee", () =>
    Effect.gen(function*() {
      const callee = yield* startSipp({
        remote: null,
        steps: [
          receiveCall(),
          respond(180),
          respond(200, { body: sdp() }),
          receive("ACK"),
          pause(300),
          requestOfCallee("BYE"),
          receive(200)
        ]
      })
      const { carrier, connection } = yield* world(callee.port)
      const call = yield* carrier.place(planFor(connection))
      assert.strictEqual(yield* watch(lineOf(yield* call.answer)).ended, "user")
      yield* callee.outcome
    }))
})
