import { SampleRate } from "@trunkline/audio"
import { type BadRequest, Invalid, type Issue, issuesOf, issueType, joinIssues } from "@trunkline/errors"
import { VoiceId } from "@trunkline/kernel"
import { Array as Arrays, Effect, ParseResult, Schema } from "effect"
import { badRequest } from "./FormErrors.js"

/** Characters (code points) that a text to speak may have. */
const maxTextLength = 1_000

/** Upper limit of a duration bound in seconds, equal to the longest speech generated in one piece. */
const maxDurationBound = 300

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** A number written as text in a form field. */
const FormNumber = Schema.transformOrFail(Schema.String, Schema.Finite, {
  strict: true,
  decode: (text, _, ast) =>
    decimal.test(text.trim())
      ? ParseResult.succeed(Number(text))
      : ParseResult.fail(new ParseResult.Type(ast, text, "Must be a number")),
  encode: (value) => ParseResult.succeed(String(value))
}).annotations({ jsonSchema: { type: "number" }, ...issueType("float_type") })

const booleanTexts: Readonly<Record<string, boolean>> = {
  true: true,
  1: true,
  yes: true,
  on: true,
  false: false,
  0: false,
  no: false,
  off: false
}

/** A boolean as form clients write it, in any letter case: `true`, `1`, `yes`, `on` and their opposites. */
export const FormBoolean = Schema.transformOrFail(Schema.String, Schema.Boolean, {
  strict: true,
  decode: (text, _, ast) => {
    const value = new Map(Object.entries(booleanTexts)).get(text.trim().toLowerCase())
    return value === undefined
      ? ParseResult.fail(new ParseResult.Type(ast, text, "Must be true or false"))
      : ParseResult.succeed(value)
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

/** A sample rate in hertz, written as text in a form field. */
export const FormRate = Schema.transform(
  Schema.Literal("8000", "16000", "22050", "24000", "32000", "44100", "48000"),
  SampleRate,
  { strict: true, decode: (text) => rates[text], encode: (rate) => `${rate}` as const }
)

/** A speaking rate from 0.5 to 2. */
export const Pace = FormNumber.pipe(Schema.greaterThanOrEqualTo(0.5), Schema.lessThanOrEqualTo(2))

/** A duration from 0 to 300 seconds. */
export const DurationBound = FormNumber.pipe(
  Schema.greaterThanOrEqualTo(0),
  Schema.lessThanOrEqualTo(maxDurationBound)
)

/** A text of at most `maxLength` characters, counted in code points. */
export const boundedText = (maxLength: number) =>
  Schema.String.pipe(Schema.filter((text) => Array.from(text).length <= maxLength, {
    message: () => `Should have at most ${maxLength} characters`,
    jsonSchema: { maxLength },
    ...issueType("string_too_long")
  }))

/** The transcript of a clip: at most 500 characters. */
export const RefText = boundedText(500)

/** Decodes form fields by a schema, and reports the issues of all fields together with those that were found before. */
export const fieldDecoder = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknown(schema, { errors: "all" })
  return (texts: Readonly<Record<string, string>>, before: ReadonlyArray<Issue>): Effect.Effect<A, Invalid> =>
    Effect.matchEffect(decode(texts), {
      onFailure: (error) => {
        const [first, ...rest] = issuesOf(error, "body")
        return new Invalid({ issues: joinIssues([first, ...rest, ...before]) })
      },
      onSuccess: (fields) =>
        Arrays.isNonEmptyReadonlyArray(before) ? new Invalid({ issues: before }) : Effect.succeed(fields)
    })
}

/** Fails when both of two mutually exclusive fields are present. */
export const requireExclusive = (
  texts: Readonly<Record<string, unknown>>,
  [one, other]: readonly [string, string]
): Effect.Effect<void, BadRequest> =>
  texts[one] !== undefined && texts[other] !== undefined
    ? badRequest(one, `${one} and ${other} cannot both be sent`)
    : Effect.void

/** Checks the text to speak: not blank, and at most 1000 characters. */
export const validateText = (text: string): Effect.Effect<string, BadRequest> => {
  if (text.trim() === "") return badRequest("text", "text is empty")
  return Array.from(text).length > maxTextLength
    ? badRequest("text", `text has more than ${maxTextLength} characters`)
    : Effect.succeed(text)
}

const voicePattern = /^svc-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Parses a voice id: `svc-` and a UUID, in any letter case. */
export const parseVoiceId = (text: string): Effect.Effect<VoiceId, BadRequest> =>
  voicePattern.test(text)
    ? Effect.succeed(VoiceId.make(text.toLowerCase()))
    : badRequest("voice_id", "voice_id is not the id of a voice: svc- and a UUID")
