import { assert, describe } from "@effect/vitest"
import { concatSamples, mulaw } from "@trunkline/audio"
import { characterErrorRate, modemTranscriber, modemVoice, soundOf, Transcriber } from "@trunkline/speech"
import { Effect } from "effect"
import { hasTools } from "../../src/testing/PeerProcess.js"
import { startSipp } from "../../src/testing/Sipp.js"
import {
  act,
  headerHas,
  pause,
  receive,
  receiveCall,
  respond,
  respondToInvite,
  sdp,
  type Step
} from "../../src/testing/SippScenario.js"
import { carrierOf, connectionTo, lineOf, liveTests, planFor } from "../peers/World.js"
import { isHungUp } from "./Callee.js"

const live = liveTests()

const switchedOff = "The number you are calling is switched off."

/** Milliseconds in which an announcement is played: ringing, and the words. */
const playing = 5_000

/** Plays the announcement of the scenario's folder. */
const plays: ReadonlyArray<Step> = [
  act(`<exec rtp_stream="announcement.ul,1,0,PCMU/8000"/>`),
  pause(playing),
  act(`<exec rtp_stream="pause"/>`)
]

const progress = respond(183, { body: sdp() })

const reliably = [
  respond(183, { body: sdp(), headers: ["Require: 100rel", "RSeq: 71"], repeats: true }),
  receive("PRACK", { action: headerHas("RAck:", "71 [0-9]+ INVITE") }),
  respond(200, { tag: false })
]

/** A call to an exchange that plays an announcement in mu-law, with an ear that understands it. */
const calling = (steps: ReadonlyArray<Step>, { ringSeconds = 40, words = switchedOff } = {}) =>
  Effect.gen(function*() {
    const announcement = yield* Effect.provide(soundOf(words), modemVoice())
    const ringing = Float32Array.from({ length: 3_200 }, (_, at) => 0.2 * Math.sin(2 * Math.PI * 400 * at / 8_000))
    const files = { "announcement.ul": mulaw.encode(concatSamples([ringing, new Float32Array(1_600), announcement])) }
    const exchange = yield* startSipp({ remote: null, steps, files })
    const connection = connectionTo(exchange.port)
    const carrier = yield* carrierOf(connection)
    const { transcribe } = yield* Effect.provide(Transcriber, modemTranscriber)
    const questions: Array<string> = []
    const call = yield* carrier.place({
      ...planFor(connection, undefined, ringSeconds),
      wordsOf: (sound) =>
        Effect.gen(function*() {
          const transcript = yield* Effect.orDie(transcribe(sound, { language: null }))
          // sipp may be late, and a frame that is filled in then spoils a letter.
          const text = (yield* characterErrorRate(words, transcript)) < 0.25 ? words : transcript
          questions.push(text)
          return text
        })
    })
    return { questions, call, exchange }
  })

const outcomeOf = (...args: Parameters<typeof calling>) =>
  Effect.gen(function*() {
    const { questions, call, exchange } = yield* calling(...args)
    const { reason, status } = yield* Effect.flip(call.answer)
    yield* exchange.outcome
    return { status, reason, questions }
  })

describe.skipIf(!hasTools("sipp"))("an exchange that plays an announcement before the answer", () => {
  live("tells by it that a phone is switched off, whatever response follows", () =>
    Effect.gen(function*() {
      const exchanges = [
        [receive("INVITE"), progress, ...plays, respond(480), receive("ACK")],
        [receiveCall(), ...reliably, ...plays, respondToInvite(503), receive("ACK")]
      ]
      const outcomes = yield* Effect.forEach(exchanges, (steps) => outcomeOf(steps), { concurrency: "unbounded" })
      for (const outcome of outcomes) {
        assert.deepStrictEqual(outcome, {
          status: "no_answer",
          reason: "sip: announcement: switched off",
          questions: [switchedOff]
        })
      }
    }))

  live("and no response at all is understood when its time to ring is over", () =>
    Effect.gen(function*() {
      const outcome = yield* outcomeOf([
        receiveCall(),
        progress,
        act(`<exec rtp_stream="announcement.ul,1,0,PCMU/8000"/>`),
        receive("CANCEL"),
        respond(200, { tag: false }),
        respondToInvite(487),
        receive("ACK")
      ], { ringSeconds: playing / 1_000, words: "The number does not exist." })
      assert.deepInclude(outcome, { status: "failed", reason: "sip: announcement: the number does not exist" })
    }))

  live("and whose response tells the cause needs no ear", () =>
    Effect.gen(function*() {
      const headers = [`Reason: Q.850;cause=17;text="User busy"`]
      const steps = [receive("INVITE"), progress, ...plays, respond(480, { headers }), receive("ACK")]
      assert.deepStrictEqual(yield* outcomeOf(steps), { status: "busy", reason: null, questions: [] })
    }))

  live("and connects the call all the same leaves nothing of it in the call", () =>
    Effect.gen(function*() {
      const { questions, call, exchange } = yield* calling([
        receiveCall(),
        progress,
        act(`<exec rtp_stream="announcement.ul,1,0,PCMU/8000"/>`),
        pause(1_500),
        respond(200, { body: sdp({ version: 2 }) }),
        receive("ACK"),
        pause(300),
        act(`<exec rtp_stream="pause"/>`),
        ...isHungUp
      ])
      const line = lineOf(yield* call.answer)
      line.hear(() => undefined)
      yield* Effect.sleep("1 second")
      yield* line.hangUp
      yield* exchange.outcome
      assert.deepStrictEqual(questions, [])
      assert.isNull(line.trouble?.() ?? null)
    }))
})
