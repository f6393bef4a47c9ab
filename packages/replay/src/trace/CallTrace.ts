// A trace is a text of JSON lines: a header, one line for each event of the conversation, in order, and a last line with its
// report. The header names the version of the form. A reader refuses what is newer than itself, or cut off.

import { CallEventJson, HeardJson } from "@trunkline/conversation/steps"
import { AppId, AttemptId, parseJson, PhoneNumber, Variables } from "@trunkline/kernel"
import { AppOverrides, CallReport } from "@trunkline/telephony"
import { Data, Either, ParseResult, Schema } from "effect"

/** Version of the form of traces that this software writes. */
export const traceVersion = 1

/** Longest trace in UTF-16 units; what follows is left out of it. */
export const maxTrace = 1_048_576

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const Header = Schema.Struct({
  trace: Schema.Literal("trunkline"),
  version: Schema.Literal(traceVersion),
  attempt_id: AttemptId,
  app_id: AppId,
  app_version: Schema.Int,
  direction: Schema.Literal("inbound", "outbound"),
  agent_phone_number: PhoneNumber,
  agent_variables: Variables,
  app_overrides: AppOverrides,
  /** Longest duration of the call, in seconds. */
  max_duration_seconds: Schema.Number,
  /** Epoch milliseconds of business time, as all moments in a trace. */
  started_at: Schema.Number
})

const Tokens = Schema.Struct({ input: Schema.Number, output: Schema.Number })

/** An event of the conversation, and what it was the end of. */
const Entry = Schema.Struct({
  at: Schema.Number,
  event: CallEventJson,
  /** Text that the agent was about to say. */
  say: optional(Schema.String),
  /** Fingerprint of the request to the model. */
  asked: optional(Schema.String),
  /** Tokens that the model has counted. */
  tokens: optional(Tokens)
})
export type TraceEntry = typeof Entry.Type

const End = Schema.Struct({
  /** False when the call was longer than a trace: the last events are missing. */
  is_whole: Schema.Boolean,
  /** Words and keys that the agent has not listened to, since the call had ended. */
  last_words: Schema.Array(HeardJson),
  ended_at: Schema.Number,
  report: CallReport
})

/** All that went into a conversation: its call, its events, and how it ended. */
export interface CallTrace extends Schema.Schema.Type<typeof Header> {
  readonly entries: ReadonlyArray<TraceEntry>
  readonly end: typeof End.Type
}

/** A text is no trace that this software can read. */
export class TraceUnreadable extends Data.TaggedError("TraceUnreadable")<{ readonly reason: string }> {
  override get message() {
    return `The trace cannot be read: ${this.reason}`
  }
}

const encodeHeader = Schema.encodeSync(Header)
const encodeEntry = Schema.encodeSync(Entry)
const encodeEnd = Schema.encodeSync(End)

/** Changes the JSON of a line, such as by leaving out personal data. */
export interface LineChange {
  <A extends object>(line: A): A
}

/** Writes a trace, each line as a change leaves it. Entries that do not fit are left out, as is a transcript that does
 * not, and the last line says so. */
export const encodeTrace = ({ end, entries, ...header }: CallTrace, change: LineChange = (line) => line): string => {
  const lines = [JSON.stringify(change(encodeHeader(header)))]
  let left = maxTrace
  let isWhole = end.is_whole
  for (const entry of entries) {
    const line = JSON.stringify(change(encodeEntry(entry)))
    left -= line.length
    if (left < 0) {
      isWhole = false
      break
    }
    lines.push(line)
  }
  const last = JSON.stringify(change(encodeEnd({ ...end, is_whole: isWhole })))
  const report = { ...end.report, transcript: [] }
  const short = last.length <= maxTrace
    ? last
    : JSON.stringify(change(encodeEnd({ ...end, report, last_words: [], is_whole: false })))
  return [...lines, short, ""].join("\n")
}

const decodeHeader = Schema.decodeUnknownEither(Header)
const decodeEntry = Schema.decodeUnknownEither(Entry)
const decodeEnd = Schema.decodeUnknownEither(End)

/** Longest text that is read at all: the report is beside the entries. */
const maxText = 4 * maxTrace

const unreadable = (reason: string) => Either.left(new TraceUnreadable({ reason }))

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Says where a line differs from its form, without its content, which may be personal data. */
const placeOf = (error: ParseResult.ParseError): string =>
  ParseResult.ArrayFormatter.formatErrorSync(error)[0]?.path.map(String).join(".") || "the whole line"

/** Reads a trace. */
export const decodeTrace = (text: string): Either.Either<CallTrace, TraceUnreadable> => {
  if (text.length > maxText) return unreadable(`it is longer than ${maxText} characters`)
  const lines = text.trimEnd().split("\n")
  const first = parseJson(lines[0] ?? "")
  if (!isRecord(first) || first["trace"] !== "trunkline") return unreadable("the first line is no header of a trace")
  const { version } = first
  if (typeof version !== "number" || version > traceVersion) {
    return unreadable(
      `its form is version ${String(version)}, and this software reads up to ${traceVersion}: update it`
    )
  }
  const header = decodeHeader(first)
  if (Either.isLeft(header)) return unreadable(`the header is wrong at ${placeOf(header.left)}`)
  const last = parseJson(lines.at(-1) ?? "")
  if (lines.length < 2 || !isRecord(last) || !("report" in last)) return unreadable("it is cut off before its end")
  const end = decodeEnd(last)
  if (Either.isLeft(end)) return unreadable(`the last line is wrong at ${placeOf(end.left)}`)
  const entries: Array<TraceEntry> = []
  for (const [index, line] of lines.slice(1, -1).entries()) {
    const entry = decodeEntry(parseJson(line))
    if (Either.isLeft(entry)) return unreadable(`line ${index + 2} is wrong at ${placeOf(entry.left)}`)
    entries.push(entry.right)
  }
  return Either.right({ ...header.right, entries, end: end.right })
}
