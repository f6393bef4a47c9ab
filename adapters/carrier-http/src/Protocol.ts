import { AttemptId } from "@trunkline/kernel"
import { type Connection, NotAnswered } from "@trunkline/telephony"
import { Option, Schema } from "effect"

/** Where a call is in its life; it never goes back. */
export const CallState = Schema.Literal("queued", "ringing", "talking", "over")
export type CallState = typeof CallState.Type

/** What became of a call that is over. */
export const CallResult = Schema.Struct({
  /** `connected`: somebody picked up. */
  status: Schema.Literal("connected", "busy", "no_answer", "failed", "provider_error"),
  reason: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null })
})

/** A call as the provider tells of it. */
export const Call = Schema.Struct({
  call_id: Schema.String.pipe(Schema.pattern(/^[\w.:~-]{1,128}$/)),
  /** As the call was asked for with; null for others. */
  attempt_id: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
  state: CallState,
  /** When the provider took it. */
  started_at: Schema.Date,
  /** Of a call that is over; null where the provider does not say. */
  result: Schema.optionalWith(Schema.NullOr(CallResult), { default: () => null })
})
export type Call = typeof Call.Type

/** Some calls, and where the next ones begin. */
export const CallPage = Schema.Struct({
  calls: Schema.Array(Call).pipe(Schema.maxItems(1_000)),
  /** What to ask for `after`; null at the end. */
  next: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null })
})

/** What came of an utterance. */
export const Said = Schema.Struct({ heard: Schema.String, interrupted: Schema.Boolean })

/** What came while the agent listened. */
export const HeardAnswer = Schema.Union(
  Schema.Struct({
    heard: Schema.Literal("said"),
    text: Schema.String,
    en_text: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
    language_name: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null })
  }),
  Schema.Struct({ heard: Schema.Literal("pressed"), digit: Schema.String.pipe(Schema.pattern(/^[0-9A-D*#]$/)) }),
  Schema.Struct({ heard: Schema.Literal("silent") })
)

/** The line is gone. */
export const Gone = Schema.Struct({ ended_by: Schema.Literal("agent", "user", "provider", "timeout") })

/** Why something was refused. */
const Refusal = Schema.Struct({
  error: Schema.Struct({
    /** Such as `number_not_allowed`. */
    code: Schema.String,
    /** False: nothing was or will be dialled. */
    taken: Schema.optional(Schema.Boolean)
  })
})

const refusalOf = Schema.decodeUnknownOption(Refusal)

/** A short word of the provider's that is fit for a failure reason: whatever else it says may hold a number or a key. */
const word = (text: string | null | undefined): string | null =>
  text != null && /^[a-z][a-z_]{0,63}$/.test(text) ? text : null

/** The word with which the provider refused, if it gave one. */
export const refusalCode = (json: unknown): string | null =>
  Option.match(refusalOf(json), { onNone: () => null, onSome: ({ error }) => word(error.code) })

/** Whether the provider says that it has not dialled and will not. */
export const isNotTaken = (json: unknown): boolean =>
  Option.exists(refusalOf(json), ({ error }) => error.taken === false)

/** A reason as the API shows it: the provider's name, a colon, what happened (shapes 3.9). */
export const failureReason = (text: string): string => `http: ${text}`

const isAttemptId = Schema.is(AttemptId)

/** The attempt that a call belongs to; null when it is none of ours. */
export const attemptOf = ({ attempt_id }: Call): AttemptId | null => isAttemptId(attempt_id) ? attempt_id : null

/** Why nobody talked on a call that is over; null when somebody did, or the provider does not say. */
export const notAnswered = ({ result }: Call): NotAnswered | null => {
  if (result === null || result.status === "connected") return null
  const { status } = result
  const reason = word(result.reason)
  const isFailure = status === "failed" || status === "provider_error"
  return new NotAnswered({ status, reason: isFailure ? failureReason(reason ?? "call failed") : reason })
}

const prefixOf = ({ connection_id }: Pick<Connection, "connection_id">) => `${connection_id}:`

/** An id of the provider's as it is known here: every connection has ids of its own, and tells of its own calls only. */
export const idHere = (connection: Pick<Connection, "connection_id">, id: string): string => prefixOf(connection) + id

/** An id as the provider knows it; none where it is of another connection. */
export const idThere = (connection: Pick<Connection, "connection_id">, id: string): Option.Option<string> => {
  const prefix = prefixOf(connection)
  return id.startsWith(prefix) ? Option.some(id.slice(prefix.length)) : Option.none()
}
