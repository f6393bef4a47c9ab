import { assert, describe, it } from "@effect/vitest"
import { type Audio, mulaw } from "@trunkline/audio"
import { propertyCases } from "@trunkline/kernel/testing"
import { phraseBook, Transcriber } from "@trunkline/speech"
import { SpeechEspeak } from "@trunkline/speech-espeak"
import { Effect, Layer, Option } from "effect"
import { findBinary } from "../src/FindEspeak.js"
import { type Caller, type Line, overLine, speechOf } from "./Telephone.js"

const isThere = Option.isSome(await Effect.runPromise(findBinary("espeak-ng")))
if (!isThere) console.warn("Skipped: the program espeak-ng is not installed")

const phrases = [
  "Yes, please.",
  "No, thank you.",
  "I want to book a table.",
  "What is my balance?",
  "Please call me tomorrow.",
  "I would like to cancel my order.",
  "Can you repeat that?",
  "My name is Asha.",
  "The payment was made on Friday.",
  "I need more time.",
  "Who is calling?",
  "That is correct.",
  "Send me the bill by mail.",
  "I am not interested.",
  "Please hold the line.",
  "Goodbye and thanks."
]

const others = [
  "The weather is nice in the mountains.",
  "My brother plays football every Sunday.",
  "Twelve red balloons flew away.",
  "He bought a new car last week.",
  "Water boils at one hundred degrees.",
  "Where did I put the keys?",
  "Our train leaves from platform nine at noon."
]

/** The book is spoken at 175 words per minute. */
const slow: Caller = ["en", 140, 50]
const callers: ReadonlyArray<Caller> = [slow, ["en+m3", 215, 40], ["en+f4", 200, 60]]

/** All callers and texts. */
const pairs = (texts: ReadonlyArray<string>) => callers.flatMap((caller) => texts.map((text) => ({ caller, text })))

const lines: ReadonlyArray<Line> = [
  { codec: mulaw, snr: 60, loss: 0 },
  { codec: mulaw, snr: 15, loss: 0 },
  { codec: mulaw, snr: 25, loss: 0.02 }
]

const transcribed = (audio: Audio) =>
  Effect.flatMap(Transcriber, ({ transcribe }) => transcribe(audio, { language: null }))

describe.skipIf(!isThere)("a phrase book spoken by espeak-ng (needs the program)", () => {
  const book = phraseBook(phrases).pipe(Layer.provide(SpeechEspeak.layer()))

  it.effect("knows at least 98 % of the phrases over the telephone, and nothing else", () =>
    Effect.gen(function*() {
      const wrong: Array<string> = []
      const cases = propertyCases(pairs(phrases))
      for (const { caller, text } of cases) {
        const audio = speechOf(text, caller)
        for (const line of lines) {
          const transcript = yield* transcribed(overLine(audio, line))
          if (transcript !== text) wrong.push(`${caller.join(" ")}, ${line.snr} dB: ${text} > ${transcript}`)
        }
      }
      for (const { caller, text } of propertyCases(pairs(others))) {
        assert.strictEqual(
          yield* transcribed(overLine(speechOf(text, caller), { codec: mulaw, snr: 30, loss: 0 })),
          "",
          text
        )
      }
      assert.isAtMost(wrong.length, Math.max(1, 0.02 * lines.length * cases.length), wrong.join("\n"))
    }).pipe(Effect.provide(book)))

  it.effect("hears nothing in silence, noise and long speech", () =>
    Effect.gen(function*() {
      const long = speechOf(others.join(" ").repeat(2), slow)
      const hiss = overLine({ rate: 8_000, samples: new Float32Array(8_000) }, { codec: mulaw, snr: -70, loss: 0 })
      for (const audio of [{ rate: 8_000, samples: new Float32Array(8_000) }, hiss, long]) {
        assert.strictEqual(yield* transcribed(audio), "")
      }
    }).pipe(Effect.provide(book)))
})
