import { assert, describe, it } from "@effect/vitest"
import { alaw, mulaw } from "@trunkline/audio"
import { propertyCases } from "@trunkline/kernel/testing"
import { phraseBook, Transcriber } from "@trunkline/speech"
import { SpeechEspeak } from "@trunkline/speech-espeak"
import { Effect, Layer, Option } from "effect"
import { findBinary } from "../src/FindEspeak.js"
import { type Caller, type Line, overLine, speechOf } from "./Telephone.js"

const isThere = Option.isSome(await Effect.runPromise(findBinary("espeak-ng")))
if (!isThere) console.warn("Skipped: the program espeak-ng is not installed")

// Phrases, other sentences, voices and lines with which the distances of the book were not found. Only the share of the
// second distance was: with 0.82, two phrases were missed in the accents.

const phrases = [
  "Is there parking nearby?",
  "We are three people.",
  "My flight was delayed.",
  "Change my appointment.",
  "How much does it cost?",
  "I have lost my card.",
  "Could you spell that?",
  "It arrived broken.",
  "Speak to an agent.",
  "Not before Monday."
]

const others = [
  "The museum opens its doors at ten.",
  "Seven birds sat on the wire.",
  "She paints houses in the summer.",
  "Our neighbours have a small dog.",
  "Coffee grows in warm countries.",
  "Turn left after the old bridge.",
  "The report is longer than expected."
]

const callers: ReadonlyArray<Caller> = [
  ["en-us", 150, 45],
  ["en-gb-scotland", 165, 55],
  ["en+m7", 190, 35],
  ["en+f2", 160, 65]
]

const lines: ReadonlyArray<Line> = [
  { codec: alaw, snr: 50, loss: 0 },
  { codec: mulaw, snr: 18, loss: 0.01 },
  { codec: alaw, snr: 15, loss: 0 },
  { codec: mulaw, snr: 30, loss: 0.03 }
]

const pairs = (texts: ReadonlyArray<string>) =>
  callers.flatMap((caller) => lines.flatMap((line) => texts.map((text) => ({ caller, line, text }))))

const heardOf = ({ caller, line, text }: ReturnType<typeof pairs>[number]) =>
  Effect.flatMap(
    Transcriber,
    ({ transcribe }) => transcribe(overLine(speechOf(text, caller), line), { language: null })
  )

describe.skipIf(!isThere)("a phrase book that was not made for these phrases (needs espeak-ng)", () => {
  const book = phraseBook(phrases).pipe(Layer.provide(SpeechEspeak.layer()))

  it.effect("knows at least 95 % of them over the telephone, and confuses none", () =>
    Effect.gen(function*() {
      const cases = propertyCases(pairs(phrases))
      const missed: Array<string> = []
      for (const one of cases) {
        const transcript = yield* heardOf(one)
        assert.include(["", one.text], transcript)
        if (transcript !== one.text) missed.push(`${one.caller.join(" ")}, ${one.line.snr} dB: ${one.text}`)
      }
      assert.isAtMost(missed.length, Math.max(1, 0.05 * cases.length), missed.join("\n"))
    }).pipe(Effect.provide(book)))

  it.effect("hears nothing in other sentences", () =>
    Effect.gen(function*() {
      const wrong: Array<string> = []
      for (const one of propertyCases(pairs(others))) {
        const transcript = yield* heardOf(one)
        if (transcript !== "") wrong.push(`${one.caller.join(" ")}, ${one.line.snr} dB: ${one.text} > ${transcript}`)
      }
      assert.deepStrictEqual(wrong, [])
    }).pipe(Effect.provide(book)))
})
