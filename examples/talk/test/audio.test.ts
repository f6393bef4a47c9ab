import { assert, describe, it } from "@effect/vitest"
import { concatSamples, readWav, toLinear16, wavFrames, wavHeader } from "@trunkline/audio"
import { modemTranscriber, modemVoice, Synthesizer, Transcriber } from "@trunkline/speech"
import { Chunk, Effect, Either, Stream } from "effect"
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { talk } from "../src/Talk.js"

const folder = mkdtempSync(join(tmpdir(), "trunkline-talk-"))

const rate = 24_000

const silence = (seconds: number) => new Float32Array(seconds * rate)

const spoken = (text: string) =>
  Effect.gen(function*() {
    const { speak } = yield* Synthesizer
    const pieces = yield* Stream.runCollect(speak({ text, language: "en-IN", pace: 1, reference: null, take: 0 }))
    return concatSamples(Chunk.toReadonlyArray(pieces))
  }).pipe(Effect.provide(modemVoice()), Effect.orDie)

const callerFile = (name: string, pieces: ReadonlyArray<Float32Array>) => {
  const samples = concatSamples(pieces)
  writeFileSync(join(folder, name), Buffer.concat([wavHeader({ rate, samples: samples.length }), toLinear16(samples)]))
}

/** Runs the program in this process with the voice that the transcriber decodes. */
const run = (...words: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    let output = ""
    let errors = ""
    const sink = (take: (text: string) => void) =>
      new Writable({
        write: (chunk, _encoding, done) => {
          take(String(chunk))
          done()
        }
      })
    const terminal = {
      input: Readable.from([]),
      output: sink((text) => output += text),
      errors: sink((text) => errors += text)
    }
    const code = yield* talk(words, terminal, { folder, voice: modemVoice() })
    return { code, output, errors }
  })

const wordsIn = (samples: Float32Array) =>
  Effect.gen(function*() {
    const { transcribe } = yield* Transcriber
    return yield* Effect.orDie(transcribe({ rate: 8_000, samples }, { language: null }))
  }).pipe(Effect.provide(modemTranscriber))

const soundIn = (name: string) => Either.getOrThrow(readWav(readFileSync(join(folder, name)), { seconds: 600 }))

describe("a conversation with the sound of a file", () => {
  it.effect("writes what the caller hears, and prints each turn with its time", () =>
    Effect.gen(function*() {
      callerFile("booking.wav", [
        silence(8),
        yield* spoken("A table, please."),
        silence(8),
        yield* spoken("4"),
        silence(8),
        yield* spoken("Sunday"),
        silence(2)
      ])
      const { code, errors, output } = yield* run("--audio", "booking.wav", "heard.wav")
      assert.strictEqual(code, 0, errors)
      assert.match(errors, /^Without --transcriber only the sound of modemVoice is understood/)
      assert.match(output, /^\[00:0\d\.\d\] Agent: Hello, this is Asha/)
      assert.match(output, /\n\[00:\d\d\.\d\] Caller: Sunday\n/)
      assert.include(
        output,
        "Outcome: completed, ended by the agent\nVariables: {\"guests\":\"4\",\"day\":\"Sunday\"}\n"
      )
      const heard = soundIn("heard.wav")
      assert.strictEqual(heard.rate, 8_000)
      const words = yield* wordsIn(heard.samples)
      assert.isTrue(words.startsWith("Hello, this is Asha at the Banyan Kitchen."), words)
      assert.include(words, "May I know the day of the visit?")
      assert.isTrue(words.endsWith("Goodbye."), words)
    }))

  it.effect("hangs up in the silence after the sound, and writes both sides when asked to", () =>
    Effect.gen(function*() {
      callerFile("short.wav", [silence(8), yield* spoken("A table, please."), silence(1)])
      const { output } = yield* run("--audio", "short.wav", "both.wav", "--both")
      assert.include(output, "Outcome: partial, ended by the caller")
      const frames = Either.getOrThrow(wavFrames(readFileSync(join(folder, "both.wav"))))
      assert.deepStrictEqual([frames.channels, frames.rate, frames.encoding], [2, 8_000, "s16"])
      const view = new DataView(frames.bytes.buffer, frames.bytes.byteOffset, frames.bytes.byteLength)
      const side = (channel: number) =>
        Float32Array.from(
          { length: frames.bytes.byteLength / 4 },
          (_, at) => view.getInt16(at * 4 + channel * 2, true) / 32_768
        )
      assert.strictEqual(yield* wordsIn(side(0)), "A table, please.")
      assert.include(yield* wordsIn(side(1)), "May I know the number of guests?")
      yield* run("--audio", "both.wav", "again.wav")
      assert.include(yield* wordsIn(soundIn("again.wav").samples), "May I know the number of guests?")
    }))

  it.effect("does not begin with files or options that cannot be used", () =>
    Effect.gen(function*() {
      writeFileSync(join(folder, "text.wav"), "no sound")
      const cases = [
        [["--audio", "none.wav", "out.wav"], /none\.wav cannot be read: there is no such file\n$/],
        [["--audio", "text.wav", "out.wav"], /text\.wav cannot be used: It is not a WAV file\n$/],
        [["--audio", "text.wav"], /^--audio needs two files/],
        [["--both"], /^--both and --transcriber need --audio/],
        [["in.wav"], /^Nothing is known of "in\.wav"/]
      ] as const
      for (const [words, message] of cases) {
        const { code, errors, output } = yield* run(...words)
        assert.deepStrictEqual([code, output], [1, ""])
        assert.match(errors, message)
      }
    }))
})
