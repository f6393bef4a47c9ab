import { AudioCodec } from "@trunkline/audio"
import { AudioCodecsWasm } from "@trunkline/codecs-wasm"
import { Speech, unmeteredSpeech } from "@trunkline/speech"
import { SpeechEspeak } from "@trunkline/speech-espeak"
import { LanguageCode } from "@trunkline/spoken-text"
import { Cause, Effect, Layer, Schema } from "effect"
import { readFile, writeFile } from "node:fs/promises"

const [, , clipFile = "", language, text = "", file = ""] = process.argv

const usage = `Say who speaks, the language, the text and where to: npm start -w @trunkline/example-script-voice -- \\
  "$PWD/clip.wav" hi-IN "नमस्ते, ₹1,25,000" "$PWD/said.mp3"
Languages: ${LanguageCode.literals.join(", ")}. The file's name says the codec: ${AudioCodec.literals.join(", ")}.`

const speech = Layer.provide(
  Speech.layerMemory({ allowPitchRateMatch: true }),
  Layer.merge(SpeechEspeak.layer(), AudioCodecsWasm.layer())
)

const program = (language: LanguageCode, codec: AudioCodec) =>
  Effect.gen(function*() {
    const { generate } = yield* Speech
    const bytes = yield* Effect.promise(() => readFile(clipFile))
    const said = yield* generate("nobody", {
      source: { kind: "clip", clip: { bytes, filename: clipFile, contentType: null }, text: null },
      text,
      language,
      pace: 1,
      format: { codec, rate: 24_000 },
      check: false,
      trim: true,
      normalize: true,
      bounds: { min: null, max: null },
      referenceSeconds: null
    }, unmeteredSpeech)
    yield* Effect.promise(() => writeFile(file, said.bytes))
    console.log(`${said.seconds.toFixed(1)} seconds of ${codec} in ${file}`)
  })

const codec = file.split(".").at(-1)

if (!Schema.is(LanguageCode)(language) || !Schema.is(AudioCodec)(codec) || text === "") {
  console.error(usage)
  process.exitCode = 1
} else {
  await Effect.runPromise(
    program(language, codec).pipe(
      Effect.provide(speech),
      Effect.catchAllCause((cause) =>
        Effect.sync(() => {
          const why = Cause.squash(cause)
          console.error(why instanceof Error ? why.message : String(why))
          process.exitCode = 1
        })
      )
    )
  )
}
