import { assert, describe, it } from "@effect/vitest"
import { concatSamples, mulaw } from "@trunkline/audio"
import {
  act,
  hasTools,
  pause,
  receive,
  receiveCall,
  requestOfCallee,
  respond,
  sdp,
  startSipp,
  type Step
} from "@trunkline/carrier-sip/testing"
import { phraseBook, soundOf, Synthesizer, Transcriber } from "@trunkline/speech"
import { SpeechEspeak } from "@trunkline/speech-espeak"
import { Effect, Layer } from "effect"
import { createTrunkline } from "trunkline"
import { untilOnTime } from "../../../../test/setup/OnTime.js"

const number = "+911140000001"

/** Announcements as the ear knows them, spoken at another pace. */
const announcements = [
  "The number you are calling is switched off.",
  "The person you are calling is busy on another call.",
  "The number you have dialled does not exist. Please check the number.",
  "Please wait while your call is being connected."
] as const

/** Ringing in India, before the words. */
const ringing = Float32Array.from({ length: 3_200 }, (_, at) => 0.2 * Math.sin(2 * Math.PI * 400 * at / 8_000))

/** Plays the announcement of the scenario's folder for as long as it lasts. */
const plays: ReadonlyArray<Step> = [
  receiveCall(),
  respond(183, { body: sdp() }),
  act(`<exec rtp_stream="announcement.ul,1,0,PCMU/8000"/>`),
  pause(5_500)
]

const refuses = (status: number): ReadonlyArray<Step> => [...plays, respond(status), receive("ACK")]

const answers: ReadonlyArray<Step> = [
  ...plays,
  respond(200, { body: sdp({ version: 2 }) }),
  receive("ACK"),
  act(`<exec rtp_stream="silence.ul,1,0,PCMU/8000"/>`),
  pause(2_000),
  requestOfCallee("BYE"),
  receive(200)
]

/** An exchange that plays an announcement, and its line. */
const exchangeOf = (announcement: string, steps: ReadonlyArray<Step>, id: string) =>
  Effect.gen(function*() {
    const words = yield* Effect.provide(soundOf(announcement, { pace: 1.1 }), SpeechEspeak.layer())
    const files = {
      "announcement.ul": mulaw.encode(concatSamples([ringing, new Float32Array(1_600), words])),
      "silence.ul": mulaw.encode(new Float32Array(16_000))
    }
    const { outcome, port } = yield* startSipp({ remote: null, steps, files })
    const line = {
      connection_id: id,
      provider: "sip",
      phone_numbers: [number],
      options: {
        server: `sip:127.0.0.1:${port}`,
        local: { address: "127.0.0.1", port: 0 },
        max_lateness_millis: 10_000
      }
    }
    return { held: outcome, line }
  })

/** An ear that knows the announcements by their sound, and counts how often it is asked. */
const ear = Effect.gen(function*() {
  const voice = yield* Layer.build(SpeechEspeak.layer())
  const book = Layer.provide(
    phraseBook(announcements),
    Layer.succeed(Synthesizer, yield* Effect.provide(Synthesizer, voice))
  )
  const { transcribe } = yield* Effect.provide(Transcriber, yield* Layer.build(book))
  const texts: Array<string> = []
  return {
    heard: texts,
    transcribe: async (...args: Parameters<typeof transcribe>) => {
      const words = await Effect.runPromise(transcribe(...args))
      texts.push(words)
      return words
    }
  }
})

/** An announcement, the response after it, and what the record of the call says. */
const refusals = [
  [announcements[0], 480, "no_answer", "sip: announcement: switched off"],
  [announcements[1], 503, "busy", "sip: announcement: busy"],
  [announcements[2], 487, "failed", "sip: announcement: the number does not exist"],
  [announcements[3], 480, "no_answer", null]
] as const

describe.skipIf(!hasTools("sipp", "espeak-ng"))("calls over exchanges that speak before the answer", () => {
  it.scopedLive("tell in their records why nobody was reached, and nothing of it when somebody was", (context) =>
    untilOnTime(
      context,
      Effect.gen(function*() {
        const { heard, transcribe } = yield* ear
        const silent = yield* Effect.forEach(
          refusals,
          ([announcement, status], index) => exchangeOf(announcement, refuses(status), `line-${index}`)
        )
        const answering = yield* exchangeOf(announcements[0], answers, "answering")
        const trunkline = yield* Effect.acquireRelease(
          Effect.promise(() =>
            createTrunkline({
              data: ":memory:",
              agents: [{ app_id: "desk", first_message: "Hello." }],
              lines: [...silent, answering].map(({ line }) => line),
              voices: [{
                rate: 8_000,
                async *speak() {
                  yield new Float32Array(2_400).fill(0.1)
                }
              }],
              transcriber: { transcribe: (audio) => transcribe(audio, { language: null }) }
            })
          ),
          (trunkline) => Effect.promise(() => trunkline.close())
        )
        const call = (line: string) =>
          Effect.promise(async () => {
            const { ended } = await trunkline.calls.create({ agent: "desk", line, to: "+919876543210" })
            return await ended
          })
        const records = yield* Effect.forEach(refusals, (_, index) => call(`line-${index}`), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(
          records.map(({ connectivity_status, failure_reason, transcript }) => [
            connectivity_status,
            failure_reason,
            transcript
          ]),
          refusals.map(([, , status, reason]) => [status, reason, null])
        )
        assert.sameMembers(heard, [...announcements])
        const { connectivity_status, failure_reason, transcript } = yield* call("answering")
        assert.deepStrictEqual([connectivity_status, failure_reason], ["connected", null])
        assert.deepStrictEqual(transcript?.map(({ en_text, role }) => `${role}: ${en_text}`), ["agent: Hello."])
        assert.lengthOf(heard, refusals.length)
        yield* Effect.forEach([...silent, answering], ({ held }) => held)
      })
    ))
})
