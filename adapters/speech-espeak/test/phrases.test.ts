import { assert, describe, it } from "@effect/vitest"
import { type Audio, concatSamples, levelsOf, makeResampler, mulaw, readWav } from "@trunkline/audio"
import { propertyCases } from "@trunkline/kernel/testing"
import { Transcriber } from "@trunkline/speech"
import { SpeechEspeak } from "@trunkline/speech-espeak"
import { phraseBook } from "@trunkline/speech/testing"
import { Effect, Either, Layer, Option } from "effect"
import { spawnSync } from "node:child_process"
import { findBinary } from "../src/FindEspeak.js"

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

/** Voices of espeak with words per minute and pitch; the book is spoken at 175. */
const callers = [["en", 140, 50], ["en+m3", 215, 40], ["en+f4", 200, 60]] as const

const said = (text: string, [voice, speed, pitch]: typeof callers[number]): Audio => {
  const parameters = ["--stdout", "-v", voice, "-s", String(speed), "-p", String(pitch), text]
  const { stdout } = spawnSync("espeak-ng", parameters, { maxBuffer: 1 << 24 })
  const { rate, samples } = Either.getOrThrow(readWav(new Uint8Array(stdout), { seconds: 60 }))
  const { end, push } = makeResampler({ from: rate, to: 8_000 })
  return { rate: 8_000, samples: concatSamples([push(samples), end()]) }
}

/** Random numbers from -1 to 1, the same in each run. */
const makeNoise = () => {
  let state = 12_345
  return () => {
    state = state * 48_271 % 2_147_483_647
    return state / 1_073_741_824 - 1
  }
}

const random = makeNoise()

/** Sound between pauses through mu-law, with noise some decibels below it and a share of frames lost. */
const overLine = (audio: Audio, { loss, snr }: { readonly snr: number; readonly loss: number }): Audio => {
  const pause = new Float32Array(4_000)
  const samples = concatSamples([pause, audio.samples, pause])
  const level = Math.sqrt(3) * 10 ** ((levelsOf(audio).rms - snr) / 20)
  const heard = mulaw.decode(mulaw.encode(samples.map((sample) => sample + level * random())))
  for (let at = 0; at < heard.length; at += 160) if ((random() + 1) / 2 < loss) heard.fill(0, at, at + 160)
  return { rate: 8_000, samples: heard }
}

/** All callers and texts. */
const pairs = (texts: ReadonlyArray<string>) => callers.flatMap((caller) => texts.map((text) => ({ caller, text })))

const lines = [{ snr: 60, loss: 0 }, { snr: 15, loss: 0 }, { snr: 25, loss: 0.02 }]

const transcribed = (audio: Audio) =>
  Effect.flatMap(Transcriber, ({ transcribe }) => transcribe(audio, { language: null }))

describe.skipIf(!isThere)("a phrase book spoken by espeak-ng (needs the program)", () => {
  const book = phraseBook(phrases).pipe(Layer.provide(SpeechEspeak.layer()))

  it.effect("knows at least 98 % of the phrases over the telephone, and nothing else", () =>
    Effect.gen(function*() {
      const wrong: Array<string> = []
      const known = propertyCases(pairs(phrases))
      for (const { caller, text } of known) {
        const audio = said(text, caller)
        for (const line of lines) {
          const heard = yield* transcribed(overLine(audio, line))
          if (heard !== text) wrong.push(`${caller.join(" ")}, ${line.snr} dB: ${text} > ${heard}`)
        }
      }
      for (const { caller, text } of propertyCases(pairs(others))) {
        assert.strictEqual(yield* transcribed(overLine(said(text, caller), { snr: 30, loss: 0 })), "", text)
      }
      assert.isAtMost(wrong.length, Math.max(1, 0.02 * lines.length * known.length), wrong.join("\n"))
    }).pipe(Effect.provide(book)))

  it.effect("hears nothing in silence, noise and long speech", () =>
    Effect.gen(function*() {
      const long = said(others.join(" ").repeat(2), callers[0])
      const hiss = overLine({ rate: 8_000, samples: new Float32Array(8_000) }, { snr: -70, loss: 0 })
      for (const audio of [{ rate: 8_000, samples: new Float32Array(8_000) }, hiss, long]) {
        assert.strictEqual(yield* transcribed(audio), "")
      }
    }).pipe(Effect.provide(book)))
})
