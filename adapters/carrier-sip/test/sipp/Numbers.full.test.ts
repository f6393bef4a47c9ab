import { assert, describe } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { hasTools } from "../../src/testing/PeerProcess.js"
import { startSipp } from "../../src/testing/Sipp.js"
import { receive, receiveCall, respond, sdp } from "../../src/testing/SippScenario.js"
import { openPeer, type RtpPeer } from "../media/RtpPeer.js"
import { carrierOf, connectionTo, lineOf, liveTests, planFor, until, watch } from "../peers/World.js"

const live = liveTests()

/** Lets a peer send every 20 ms, until the scope closes. */
const keepSending = (peer: RtpPeer, port: number): Effect.Effect<void, never, Scope.Scope> => {
  peer.sendTo(port)
  return Effect.asVoid(Effect.forkScoped(Effect.forever(Effect.delay(Effect.sync(peer.tick), "20 millis"))))
}

describe.skipIf(!hasTools("sipp"))("a callee that numbers keys otherwise than our offer", () => {
  live("gets keys by its own number, and is heard by ours", () =>
    Effect.gen(function*() {
      const peer = yield* openPeer
      peer.renumber({ sentKeys: 101, takenKeys: 96 })
      const callee = yield* startSipp({
        remote: null,
        steps: [
          receiveCall(),
          respond(200, { body: sdp({ codecs: "0 96", keys: 96, port: peer.port }) }),
          receive("ACK"),
          receive("BYE"),
          respond(200, { tag: false })
        ]
      })
      const connection = connectionTo(callee.port)
      const carrier = yield* carrierOf(connection)
      const line = lineOf(yield* Effect.flatMap(carrier.place(planFor(connection)), ({ answer }) => answer))
      const { events } = watch(line)
      yield* until(() => peer.received.length > 0)
      yield* keepSending(peer, peer.senderPort())
      yield* line.press("5")
      yield* until(() => peer.pressed() === "5")
      peer.press("7")
      yield* until(() => events.includes("Pressed 7"))
      assert.isTrue(peer.received.every((packet) => [0, 96].includes(packet.getPayloadType())))
      yield* line.hangUp
      yield* callee.outcome
    }))
})
