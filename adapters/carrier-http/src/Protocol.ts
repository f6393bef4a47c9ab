import { AttemptId, PhoneNumber } from "@trunkline/kernel"
import { type Connection, NotAnswered } from "@trunkline/telephony"
import { Option, Schema } from "effect"

/** State of a call; it only moves forward. */
const CallState = Schema.Literal("queued", "ringing", "talking", "over")
type CallState = typeof CallState.Type

/** Result of a call that has ended. */
const CallResult = Schema.Struct({
  /** `connected`: the call was answered. */
  status: Schema.Literal("connected", "busy", "no_answer", "failed", "provider_error"),
  reason: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null })
})

/** A call as reported by the provider. */
export const Call = Schema.Struct({
  call_id: Schema.String.pipe(Schema.pattern(/^[\w.:~-]{1,128}$/)),
  /** Attempt id of the create request; null for other calls. */
  attempt_id: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
  state: CallState,
  /** Time at which the provider accepted the call. */
  started_at: Schema.Date,
  /** Result of a call that has ended; null when unknown. */
  result: Schema.optionalWith(Schema.NullOr(CallResult), { default: () => null }),
  /** `inbound` when a person calls one of our numbers; anything else is a call that the engine created. */
  direction: Schema.optional(Schema.Unknown),
  /** Caller and called number of an inbound call, in E.164. */
  from: Schema.optional(Schema.Unknown),
  to: Schema.optional(Schema.Unknown)
})
export type Call = typeof Call.Type

/** True for a call from a person to one of our numbers. */
export const isInbound = ({ direction }: Call): boolean => direction === "inbound"

/** Numbers of an inbound call. */
export const InboundNumbers = Schema.Struct({ from: PhoneNumber, to: PhoneNumber })

/** A page of calls. */
export const CallPage = Schema.Struct({
  calls: Schema.Array(Call).pipe(Schema.maxItems(1_000)),
  /** Cursor for the `after` parameter; null on the last page. */
  next: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null })
})

/** Side that ended a call. */
const EndedBy = Schema.Literal("agent", "user", "provider", "timeout")

/** Response to a `say` turn; `ended_by` when the call ended during it. */
export const SayResponse = Schema.Struct({
  heard: Schema.String,
  interrupted: Schema.Boolean,
  ended_by: Schema.optionalWith(EndedBy, { nullable: true })
})

/** Response to a `listen` turn. */
export const ListenResponse = Schema.Union(
  Schema.Struct({
    heard: Schema.Literal("said"),
    text: Schema.String,
    en_text: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
    language_name: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null })
  }),
  Schema.Struct({ heard: Schema.Literal("pressed"), digit: Schema.String.pipe(Schema.pattern(/^[0-9A-D*#]$/)) }),
  Schema.Struct({ heard: Schema.Literal("silent") })
)

/** Response for a call that has ended. */
export const CallGoneResponse = Schema.Struct({ ended_by: EndedBy })

/** Error response. */
const Refusal = Schema.Struct({
  error: Schema.Struct({
    /** Error code such as `number_not_allowed`. */
    code: Schema.String,
    /** False when nothing was or will be dialled. */
    taken: Schema.optional(Schema.Boolean)
  })
})

const refusalOf = Schema.decodeUnknownOption(Refusal)

/** Returns a provider's code when it is safe for a failure reason; other text may contain a phone number or a key. */
const safeCode = (text: string | null | undefined): string | null =>
  text != null && /^[a-z][a-z_]{0,63}$/.test(text) ? text : null

/** The provider's error code, if it is safe. */
export const refusalCode = (json: unknown): string | null =>
  Option.match(refusalOf(json), { onNone: () => null, onSome: ({ error }) => safeCode(error.code) })

/** True when the provider states that it has not dialled and will not. */
export const isNotTaken = (json: unknown): boolean =>
  Option.exists(refusalOf(json), ({ error }) => error.taken === false)

/** Formats a failure reason for the API: provider name, colon, reason. */
export const failureReason = (text: string): string => `http: ${text}`

const isAttemptId = Schema.is(AttemptId)

/** The attempt of a call; null when the call is not ours. */
export const attemptOf = ({ attempt_id }: Call): AttemptId | null => isAttemptId(attempt_id) ? attempt_id : null

/** Why an ended call did not connect; null when it connected or the reason is unknown. */
export const notAnswered = ({ result }: Call): NotAnswered | null => {
  if (result === null || result.status === "connected") return null
  const { status } = result
  const reason = safeCode(result.reason)
  const isFailure = status === "failed" || status === "provider_error"
  return new NotAnswered({ status, reason: isFailure ? failureReason(reason ?? "call failed") : reason })
}

const prefixOf = ({ connection_id }: Pick<Connection, "connection_id">) => `${connection_id}:`

/** Prefixes a provider's id with the connection, so that connections cannot affect each other's calls. */
export const qualifyId = (connection: Pick<Connection, "connection_id">, id: string): string =>
  prefixOf(connection) + id

/** Removes the prefix; none when the id belongs to another connection. */
export const unqualifyId = (connection: Pick<Connection, "connection_id">, id: string): Option.Option<string> => {
  const prefix = prefixOf(connection)
  return id.startsWith(prefix) ? Option.some(id.slice(prefix.length)) : Option.none()
}
