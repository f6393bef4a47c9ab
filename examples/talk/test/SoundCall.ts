import { concatSamples, readWav, toLinear16, wavHeader } from "@trunkline/audio"
import { modemTranscriber, modemVoice, soundOf, Transcriber } from "@trunkline/speech"
import { Effect, Either } from "effect"
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { talk } from "../src/Talk.js"

/** Folder of the files of a test. */
export const folder = mkdtempSync(join(tmpdir(), "trunkline-talk-"))

const rate = 24_000

/** Silence of some seconds. */
export const silence = (seconds: number) => new Float32Array(seconds * rate)

/** Sound of words by the modem voice. */
export const spoken = (text: string) => soundOf(text, { rate }).pipe(Effect.provide(modemVoice()), Effect.orDie)

/** Writes what the caller says, in pieces one after the other. */
export const callerFile = (name: string, pieces: ReadonlyArray<Float32Array>) => {
  const samples = concatSamples(pieces)
  writeFileSync(join(folder, name), Buffer.concat([wavHeader({ rate, samples: samples.length }), toLinear16(samples)]))
}

/** Runs the program in this process with the voice that the transcriber decodes. */
export const run = (...words: ReadonlyArray<string>) =>
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

/** The words in sound of a call. */
export const wordsIn = (samples: Float32Array) =>
  Effect.gen(function*() {
    const { transcribe } = yield* Transcriber
    return yield* Effect.orDie(transcribe({ rate: 8_000, samples }, { language: null }))
  }).pipe(Effect.provide(modemTranscriber))

/** The sound in a file. */
export const soundIn = (name: string) => Either.getOrThrow(readWav(readFileSync(join(folder, name)), { seconds: 600 }))
