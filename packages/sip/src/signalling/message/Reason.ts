import { Either } from "effect"
import { malformed, type MalformedHeader } from "../headers/MalformedHeader.js"
import { param, quoteText, readParams, unquote } from "../headers/Params.js"
import { headers, type SipMessage } from "./Message.js"

/** Reason for which a request or a response was sent: a value of Reason (RFC 3326). */
export interface Reason {
  /** In upper case: `Q.850` for the cause of a telephone network, `SIP` for a status, or another. */
  readonly protocol: string
  /** Cause or status; null when there is none. */
  readonly cause: number | null
  /** Empty when there is none. */
  readonly text: string
}

const protocolShape = /^[ \t]*([\w.!%*+`'~-]+)/

/** Parses a value of Reason. */
export const parseReason = (value: string): Either.Either<Reason, MalformedHeader> => {
  const [protocolText = "", protocol = ""] = protocolShape.exec(value) ?? []
  const params = readParams(value, protocolText.length)
  if (protocol === "" || params === null) return malformed("The Reason header field is malformed")
  const cause = unquote(param(params, "cause") ?? "")
  return Either.right({
    protocol: protocol.toUpperCase(),
    cause: /^\d{1,5}$/.test(cause) ? Number(cause) : null,
    text: unquote(param(params, "text") ?? "")
  })
}

/** Writes a value of Reason. */
export const writeReason = ({ cause, protocol, text }: Reason): string =>
  `${protocol}${cause === null ? "" : `;cause=${cause}`}${text === "" ? "" : `;text=${quoteText(text)}`}`

/** All reasons of a message that can be parsed. */
export const reasonsOf = (message: SipMessage): ReadonlyArray<Reason> =>
  headers(message, "reason").flatMap((value) =>
    Either.match(parseReason(value), { onLeft: () => [], onRight: (one) => [one] })
  )

/** Cause of the telephone network (ITU-T Q.850) that a message reports, 1 to 127; null when it reports none. */
export const networkCause = (message: SipMessage): number | null =>
  reasonsOf(message).find(({ cause, protocol }) => protocol === "Q.850" && cause !== null && cause >= 1 && cause <= 127)
    ?.cause ?? null
