import { AudioCodec, Bitrate, SampleRate } from "@trunkline/audio"
import { Invalid, issuesOf, issueType } from "@trunkline/errors"
import { LanguageCode } from "@trunkline/spoken-text"
import { Effect, ParseResult, Schema } from "effect"

/** How long what is spoken may be, in characters (specification, Voice-cloned speech). */
export const textLimit = 1_000

/** The longest bound of a duration, in seconds: as long as a whole speech may be. */
export const longestBound = 300

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** A number as a form holds it. */
const FormNumber = Schema.transformOrFail(Schema.String, Schema.Finite, {
  strict: true,
  decode: (text, _, ast) =>
    decimal.test(text.trim())
      ? ParseResult.succeed(Number(text))
      : ParseResult.fail(new ParseResult.Type(ast, text, "Must be a number")),
  encode: (value) => ParseResult.succeed(String(value))
}).annotations({ jsonSchema: { type: "number" }, ...issueType("float_type") })

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  1: true,
  yes: true,
  on: true,
  false: false,
  0: false,
  no: false,
  off: false
}

/** Yes or no as forms of various clients hold it: `true`, `True`, `1`, `yes`, `on` and their opposites. */
const FormBoolean = Schema.transformOrFail(Schema.String, Schema.Boolean, {
  strict: true,
  decode: (text, _, ast) => {
    const truth = new Map(Object.entries(truths)).get(text.trim().toLowerCase())
    return truth === undefined
      ? ParseResult.fail(new ParseResult.Type(ast, text, "Must be true or false"))
      : ParseResult.succeed(truth)
  },
  encode: (value) => ParseResult.succeed(String(value))
}).annotations({ jsonSchema: { type: "boolean" }, ...issueType("bool_type") })

const rates = {
  8000: 8000,
  16000: 16000,
  22050: 22050,
  24000: 24000,
  32000: 32000,
  44100: 44100,
  48000: 48000
} as const

const FormRate = Schema.transform(
  Schema.Literal("8000", "16000", "22050", "24000", "32000", "44100", "48000"),
  SampleRate,
  { strict: true, decode: (text) => rates[text], encode: (rate) => `${rate}` as const }
)

const Pace = FormNumber.pipe(Schema.greaterThanOrEqualTo(0.5), Schema.lessThanOrEqualTo(2))

const Bound = FormNumber.pipe(Schema.greaterThanOrEqualTo(0), Schema.lessThanOrEqualTo(longestBound))

/** Text of at most so many characters, which are code points as people count them. */
export const textUpTo = (most: number) =>
  Schema.String.pipe(Schema.filter((text) => Array.from(text).length <= most, {
    message: () => `Should have at most ${most} characters`,
    jsonSchema: { maxLength: most },
    ...issueType("string_too_long")
  }))

/** What is said in a clip (specification, Limits). */
export const refText = textUpTo(500)

/** The fields of `POST /voices/clone/stream` (specification). Their text and voice have rules of their own. */
export const StreamFields = Schema.Struct({
  voice_id: Schema.optional(Schema.String),
  text: Schema.String,
  language_code: LanguageCode,
  pace: Schema.optional(Pace),
  output_audio_codec: Schema.optionalWith(AudioCodec, { default: () => "mp3" as const }),
  output_audio_bitrate: Schema.optionalWith(Bitrate, { default: () => "128k" as const }),
  speech_sample_rate: Schema.optionalWith(FormRate, { default: () => 24000 as const }),
  enable_text_normalization: Schema.optional(FormBoolean)
})
export type StreamFields = typeof StreamFields.Type

/** The fields of `POST /voices/clone` but the file (specification). */
export const GenerateFields = Schema.Struct({
  voice_id: Schema.optional(Schema.String),
  ref_text: Schema.optional(refText),
  text: Schema.String,
  language_code: LanguageCode,
  pace: Schema.optional(Pace),
  output_audio_codec: Schema.optionalWith(AudioCodec, { default: () => "wav" as const }),
  speech_sample_rate: Schema.optional(FormRate),
  enable_qc: Schema.optionalWith(FormBoolean, { default: () => false }),
  enable_cached_responses: Schema.optionalWith(FormBoolean, { default: () => false }),
  enable_vad: Schema.optionalWith(FormBoolean, { default: () => true }),
  enable_text_normalization: Schema.optional(FormBoolean),
  min_audio_duration: Schema.optional(Bound),
  max_audio_duration: Schema.optional(Bound.pipe(Schema.greaterThan(0))),
  ref_audio_duration: Schema.optional(Bound.pipe(Schema.greaterThan(0)))
})
export type GenerateFields = typeof GenerateFields.Type

/** The fields as a schema reads them; everything that is wrong with them is told at once. */
export const readFields = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknown(schema, { errors: "all" })
  return (texts: Readonly<Record<string, string>>): Effect.Effect<A, Invalid> =>
    Effect.mapError(decode(texts), (error) => new Invalid({ issues: issuesOf(error, "body") }))
}
