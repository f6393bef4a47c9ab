import { Either } from "effect"
import { type HostPort, readHostPort, writeHostPort } from "./Host.js"
import { malformed, type MalformedHeader } from "./MalformedHeader.js"
import { param, type Params, readParams, writeParams } from "./Params.js"

/** A hop that a request took: a value of Via (RFC 3261, section 20.42). */
export interface Via {
  /** In upper case: `UDP`, `TCP`, `TLS`, `WS` or another. */
  readonly transport: string
  /** Host and port of the sender, as it believes them to be. */
  readonly sentBy: HostPort
  readonly params: Params
}

const sentProtocol = /^[ \t]*SIP[ \t]*\/[ \t]*\d+\.\d+[ \t]*\/[ \t]*([\w.!%*+`'~-]+)[ \t]+/i

/**
 * Parses a value of Via. White space may stand around every separator, and any version is accepted, so that a request of
 * another version of SIP can be responded to.
 */
export const parseVia = (text: string): Either.Either<Via, MalformedHeader> => {
  const protocol = sentProtocol.exec(text)
  if (protocol === null) return malformed("A Via header field has no SIP protocol")
  const sentBy = readHostPort(text, protocol[0].length)
  if (sentBy === null) return malformed("A Via header field has no valid host")
  const params = readParams(text, sentBy.end)
  if (params === null) return malformed("A Via header field has malformed parameters")
  return Either.right({ transport: (protocol[1] ?? "").toUpperCase(), sentBy: sentBy.value, params })
}

/** Writes a value of Via. */
export const writeVia = ({ params, sentBy, transport }: Via): string =>
  `SIP/2.0/${transport} ${writeHostPort(sentBy)}${writeParams(params)}`

/** Branch that identifies the transaction; null if there is none. */
export const branchOf = (via: Via): string | null => param(via.params, "branch") ?? null
