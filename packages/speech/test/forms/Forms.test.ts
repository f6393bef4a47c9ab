import { assert, describe, it } from "@effect/vitest"
import { Invalid } from "@trunkline/errors"
import { VoiceId } from "@trunkline/kernel"
import { readCreateForm, readGenerateForm, readStreamForm, type VoiceForm, type VoiceFormPart } from "@trunkline/speech"
import { Effect, FastCheck, Option, Stream } from "effect"

type Part = Partial<Pick<VoiceFormPart<never>, "filename" | "contentType" | "content">> & { readonly text?: string }

const voice_id = "svc-3F2504E0-4F89-41D3-9A0C-0305E82C3301"
const id = VoiceId.make(voice_id.toLowerCase())

const formOf = (parts: ReadonlyArray<readonly [string, string | Part]>): VoiceForm<never> => {
  const rest = parts.values()
  return {
    next: Effect.sync(() => {
      const { done, value } = rest.next()
      if (done === true) return Option.none()
      const [name, field] = value
      const { content, contentType = null, filename = null, text = "" } = typeof field === "string"
        ? { text: field }
        : field
      return Option.some({
        name,
        contentType,
        filename,
        content: content ?? Stream.make(new TextEncoder().encode(text))
      })
    })
  }
}

const stream = (...parts: ReadonlyArray<readonly [string, string | Part]>) =>
  readStreamForm(formOf([...parts, ["voice_id", voice_id], ["text", "Hello"], ["language_code", "en-IN"]]))

const generate = (...parts: ReadonlyArray<readonly [string, string | Part]>) =>
  readGenerateForm(formOf([...parts, ["text", "Hello"], ["language_code", "en-IN"]]))

const file = { filename: "a.wav", contentType: "audio/wav", text: "RIFF" }

describe("the forms of voices", () => {
  it.effect("apply the documented defaults", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* stream(), {
        voice_id: id,
        text: "Hello",
        language: "en-IN",
        pace: 1,
        format: { codec: "mp3", rate: 24000, bitrate: "128k" },
        normalize: null
      })
      assert.deepStrictEqual(yield* generate(["voice_id", voice_id]), {
        source: { kind: "voice", voice_id: id },
        text: "Hello",
        language: "en-IN",
        pace: 1,
        format: { codec: "wav", rate: 24000 },
        check: false,
        trim: true,
        normalize: null,
        bounds: { min: null, max: null },
        referenceSeconds: null
      })
    }))

  it.effect("use the first of several parts with the same name", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* stream(["pace", "2"], ["pace", "0.5"])).pace, 2)
    }))

  it.effect("accept a file with name and type, and treat an empty field in its place as no file", () =>
    Effect.gen(function*() {
      const { source } = yield* generate(["ref_audio", file], ["ref_text", "What is said"])
      const clip = { bytes: new TextEncoder().encode("RIFF"), filename: "a.wav", contentType: "audio/wav" }
      assert.deepStrictEqual(source, { kind: "clip", clip, text: "What is said" })
      assert.strictEqual((yield* generate(["ref_audio", ""], ["voice_id", voice_id])).source.kind, "voice")
      const neither = yield* Effect.flip(generate(["ref_audio", "null"]))
      assert.strictEqual(neither._tag, "BadRequest")
    }))

  it.effect("ignore ref_text of any length beside a saved voice", () =>
    Effect.gen(function*() {
      const long = ["ref_text", "x".repeat(501)] as const
      assert.deepStrictEqual(yield* generate(["voice_id", voice_id], long), yield* generate(["voice_id", voice_id]))
      const failure = yield* Effect.flip(generate(["ref_audio", file], long))
      assert.deepStrictEqual(failure._tag === "Invalid" && failure.issues.map(({ loc }) => loc), [["body", "ref_text"]])
    }))

  it.effect("stop reading a file that is too large, and keep only the beginning of a field", () =>
    Effect.gen(function*() {
      let read = 0
      const endless = Stream.repeatEffect(Effect.sync(() => {
        read += 1
        return new Uint8Array(1_000_000)
      }))
      const failure = yield* Effect.flip(generate(["ref_audio", { filename: "a.wav", content: endless }]))
      assert.deepInclude(failure, { _tag: "BodyTooLarge", limitBytes: 10_485_760 })
      assert.strictEqual(read, 11)
      const long = yield* Effect.flip(stream(["text", { content: Stream.take(endless, 50) }]))
      assert.strictEqual(long._tag, "BadRequest")
    }))

  it.effect("count characters in code points", () =>
    Effect.gen(function*() {
      const { text } = yield* stream(["text", "𑀓".repeat(1_000)])
      assert.strictEqual(Array.from(text).length, 1_000)
      assert.strictEqual((yield* Effect.flip(stream(["text", "𑀓".repeat(1_001)])))._tag, "BadRequest")
    }))

  it.effect("report all invalid fields together", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(
        stream(["pace", "9"], ["speech_sample_rate", "1"], ["output_audio_bitrate", "2"])
      )
      assert.deepStrictEqual(
        failure._tag === "Invalid" && failure.issues.map(({ loc, type }) => [loc[1], type]),
        [["pace", "less_than_equal"], ["output_audio_bitrate", "enum"], ["speech_sample_rate", "enum"]]
      )
    }))

  it.effect("report fields that do not exist together with the others, also empty ones", () =>
    Effect.gen(function*() {
      const messages = <A, E>(reading: Effect.Effect<A, E>) =>
        Effect.map(Effect.flip(reading), (error) =>
          error instanceof Invalid
            ? error.issues.map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`)
            : [])
      assert.deepStrictEqual(yield* messages(stream(["pace", "9"], ["output_codec", "wav"], ["output_codec", "mp3"])), [
        "pace: Must be at most 2",
        "output_codec: is not a known field; did you mean output_audio_codec?"
      ])
      assert.deepStrictEqual(
        yield* messages(generate(["ref_audoi", file], ["voice_id", voice_id], ["enable_qcc", ""])),
        [
          "ref_audoi: is not a known field; did you mean ref_audio?",
          "enable_qcc: is not a known field; did you mean enable_qc?"
        ]
      )
      const create = formOf([["name", "Asha"], ["language", "en-IN"], ["file", file], ["gendre", "female"]])
      assert.deepStrictEqual(yield* messages(readCreateForm(create)), [
        "gendre: is not a known field; did you mean gender?"
      ])
    }))

  it.effect("require only a name, a language and a file to save a voice", () =>
    Effect.gen(function*() {
      const voice = yield* readCreateForm(formOf([["file", file], ["name", "Asha"], ["language", "ta-IN"]]))
      assert.deepInclude(voice, { name: "Asha", language: "ta-IN", style: "conversational", gender: null, text: null })
      const failure = yield* Effect.flip(
        readCreateForm(formOf([["name", " "], ["language", "fr-FR"], ["gender", "x"]]))
      )
      assert.deepStrictEqual(failure._tag === "Invalid" && failure.issues.map(({ loc }) => loc[1]), [
        "name",
        "language",
        "gender"
      ])
    }))

  it.effect("decode or fail without defects for any field values", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(
          FastCheck.array(FastCheck.tuple(
            FastCheck.constantFrom(
              "pace",
              "text",
              "voice_id",
              "min_audio_duration",
              "enable_vad",
              "ref_audio",
              "__proto__"
            ),
            FastCheck.string({ maxLength: 20 })
          )),
          (parts) =>
            generate(...parts).pipe(
              Effect.either,
              Effect.runPromise,
              (read) => read.then(({ _tag }) => assert.include(["Left", "Right"], _tag))
            )
        )
      )
    ))
})
