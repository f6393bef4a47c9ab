import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { freePort, hasTools } from "../../src/testing/PeerProcess.js"
import { startSipp } from "../../src/testing/Sipp.js"
import {
  bodyHas,
  headerHas,
  pause,
  receive,
  receiveCall,
  requestOfCallee,
  respond,
  respondToInvite,
  sdp
} from "../../src/testing/SippScenario.js"
import { carrierOf, connectionTo, environment, lineOf, liveTests, planFor, until, watch } from "../peers/World.js"
import { answers, calleeOf, isHungUp } from "./Callee.js"

const live = liveTests()

describe.skipIf(!hasTools("sipp"))("a call to sipp", () => {
  live("is answered, and ended by the callee", () =>
    Effect.gen(function*() {
      const { callee, place } = yield* calleeOf([...answers(), pause(300), requestOfCallee("BYE"), receive(200)])
      const { ended } = watch(lineOf(yield* (yield* place()).answer))
      assert.strictEqual(yield* ended, "user")
      yield* callee.outcome
    }))

  live("has its reliable provisional responses acknowledged", () =>
    Effect.gen(function*() {
      const { callee, place } = yield* calleeOf([
        receiveCall(),
        respond(183, { body: sdp(), headers: ["Require: 100rel", "RSeq: 71"], repeats: true }),
        receive("PRACK", { action: headerHas("RAck:", "71 [0-9]+ INVITE") }),
        respond(200, { tag: false }),
        respondToInvite(200, sdp()),
        receive("ACK"),
        ...isHungUp
      ])
      yield* lineOf(yield* (yield* place()).answer).hangUp
      yield* callee.outcome
    }))

  live("is ended by us", () =>
    Effect.gen(function*() {
      const { callee, place } = yield* calleeOf([...answers(), ...isHungUp])
      yield* lineOf(yield* (yield* place()).answer).hangUp
      yield* callee.outcome
    }))

  live("is hung up, or cancelled while it rings, when the engine stops", () =>
    Effect.gen(function*() {
      const talking = yield* startSipp({ remote: null, steps: [...answers(), ...isHungUp] })
      const ringing = yield* startSipp({
        remote: null,
        steps: [
          receiveCall(),
          respond(180),
          receive("CANCEL"),
          respond(200, { tag: false }),
          respondToInvite(487),
          receive("ACK")
        ]
      })
      yield* Effect.scoped(Effect.gen(function*() {
        const lines = [connectionTo(talking.port, {}, "one"), connectionTo(ringing.port, {}, "two")] as const
        const carrier = yield* carrierOf(...lines)
        yield* Effect.flatMap(carrier.place(planFor(lines[0])), (call) => call.answer)
        yield* carrier.place(planFor(lines[1]))
      }))
      yield* talking.outcome
      yield* ringing.outcome
    }))

  live("rings for its time, and is cancelled then", () =>
    Effect.gen(function*() {
      const { callee, place } = yield* calleeOf([
        receiveCall(),
        respond(180),
        receive("CANCEL"),
        respond(200, { tag: false }),
        respondToInvite(487),
        receive("ACK")
      ])
      const call = yield* place(0.5)
      assert.deepInclude(yield* Effect.flip(call.answer), { status: "no_answer", reason: null })
      yield* callee.outcome
    }))

  live("may have reached somebody when there is no response, and is given up", () =>
    Effect.gen(function*() {
      const { place } = yield* calleeOf([receive("INVITE"), pause(30_000)])
      const failed = yield* Effect.flip(place())
      assert.deepInclude(failed, { _tag: "DialFailed", certainty: "unknown" })
    }))

  live("was not dialled when nobody listens at the trunk's port", () =>
    Effect.gen(function*() {
      const connection = connectionTo(yield* freePort())
      const carrier = yield* carrierOf(connection)
      const failed = yield* Effect.flip(carrier.place(planFor(connection)))
      assert.deepInclude(failed, { certainty: "provider", reason: "sip: provider_unavailable" })
      assert.deepInclude(yield* carrier.lineState?.(connection) ?? Effect.succeed(null), { reachable: false })
    }))

  live("takes sound before the answer, and goes on ringing", () =>
    Effect.gen(function*() {
      const { callee, place } = yield* calleeOf([
        receiveCall(),
        respond(183, { body: sdp() }),
        pause(300),
        respond(200, { body: sdp() }),
        receive("ACK"),
        ...isHungUp
      ])
      const call = yield* place()
      yield* lineOf(yield* call.answer).hangUp
      yield* callee.outcome
    }))

  live("that is answered while it is cancelled is hung up", () =>
    Effect.gen(function*() {
      const { callee, place } = yield* calleeOf([
        receiveCall(),
        respond(180),
        receive("CANCEL"),
        respondToInvite(200, sdp()),
        receive("ACK"),
        ...isHungUp
      ])
      const call = yield* place()
      yield* call.cancel
      assert.strictEqual((yield* Effect.flip(call.answer))._tag, "NotAnswered")
      yield* callee.outcome
    }))

  live("whose answer has no sound that we can carry is hung up", () =>
    Effect.gen(function*() {
      const { callee, place } = yield* calleeOf([...answers(sdp({ codecs: "9" })), ...isHungUp])
      const call = yield* place()
      assert.deepInclude(yield* Effect.flip(call.answer), {
        status: "provider_error",
        reason: "sip: unusable_media"
      })
      yield* callee.outcome
    }))

  live("is held and goes on, changes its codec, and passes keys of INFO", () =>
    Effect.gen(function*() {
      const ack = (cseq: number) => requestOfCallee("ACK", { cseq })
      const { callee, place } = yield* calleeOf([
        ...answers(),
        pause(100),
        requestOfCallee("INVITE", { cseq: 1, body: sdp({ direction: "sendonly", version: 2 }) }),
        receive(100, { optional: true }),
        receive(200, { action: bodyHas("a=recvonly") }),
        ack(1),
        pause(100),
        requestOfCallee("INVITE", { cseq: 2, body: sdp({ codecs: "8 101", version: 3 }) }),
        receive(100, { optional: true }),
        receive(200, { action: bodyHas("RTP/AVP 8 101") }),
        ack(2),
        requestOfCallee("INFO", {
          cseq: 3,
          type: "application/dtmf-relay",
          body: ["Signal=5", "Duration=160"]
        }),
        receive(200),
        ...isHungUp
      ])
      const line = lineOf(yield* (yield* place()).answer)
      const { events } = watch(line)
      yield* until(() => events.includes("Pressed 5"))
      assert.deepStrictEqual(events, ["Held true", "Held false", "Pressed 5"])
      yield* line.hangUp
      yield* callee.outcome
    }))

  live("agrees on session timers, and answers a refresh", () =>
    Effect.gen(function*() {
      const timers = ["Session-Expires: 90;refresher=uas", "Require: timer"]
      const { callee, place } = yield* calleeOf([
        receiveCall({ action: headerHas("Session-Expires:", "1800") }),
        respond(422, { headers: ["Min-SE: 2000"] }),
        receive("ACK"),
        receiveCall({ action: headerHas("Session-Expires:", "2000") }),
        respond(200, { body: sdp(), headers: timers }),
        receive("ACK"),
        pause(100),
        requestOfCallee("INVITE", {
          cseq: 1,
          body: sdp(),
          headers: ["Session-Expires: 90;refresher=uac", "Supported: timer"]
        }),
        receive(100, { optional: true }),
        receive(200, { action: headerHas("Session-Expires:", "90;refresher=uac") }),
        requestOfCallee("ACK", { cseq: 1 }),
        ...isHungUp
      ])
      const line = lineOf(yield* (yield* place()).answer)
      yield* Effect.sleep("500 millis")
      yield* line.hangUp
      yield* callee.outcome
    }))
})

describe.skipIf(!hasTools("sipp"))("a trunk that asks who we are", () => {
  const credentials = { user: "trunk", password: environment.TRUNK_PASSWORD }
  const options = { credentials: { user: "trunk", password_env: "TRUNK_PASSWORD" } }
  const challenge = (nonce: string, stale = "") => [
    respond(401, { headers: [`WWW-Authenticate: Digest realm="trunk", nonce="${nonce}", qop="auth"${stale}`] }),
    receive("ACK")
  ]
  const verified = receive("INVITE", {
    action: `<verifyauth assign_to="right" username="trunk" password="trunk-secret"/>` +
      `<test assign_to="wrong" variable="right" compare="equal" value="0"/>`
  })

  live("gets the right password, and another one with a new nonce", () =>
    Effect.gen(function*() {
      const { callee, place } = yield* calleeOf(
        [
          receive("INVITE"),
          ...challenge("one"),
          verified,
          ...challenge("two", ", stale=true"),
          verified,
          respond(200, { body: sdp() }),
          receive("ACK"),
          ...isHungUp
        ],
        options,
        credentials
      )
      yield* lineOf(yield* (yield* place()).answer).hangUp
      yield* callee.outcome
    }))

  live("refuses the call when it does not take the password", () =>
    Effect.gen(function*() {
      const { callee, place } = yield* calleeOf([
        receive("INVITE"),
        ...challenge("one"),
        receive("INVITE"),
        ...challenge("two")
      ], options)
      assert.deepInclude(yield* Effect.flip(place()), {
        certainty: "provider",
        reason: "sip: rejected_by_provider"
      })
      yield* callee.outcome
    }))
})
