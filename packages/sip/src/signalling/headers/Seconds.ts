import { Either } from "effect"
import { malformed, type MalformedHeader } from "./MalformedHeader.js"
import { param, type Params, readParams } from "./Params.js"

const maxSeconds = 2 ** 32 - 1

/** Number of seconds at the start of a value, and the offset behind it. */
const readSeconds = (text: string): { readonly seconds: number; readonly end: number } | null => {
  const digits = /^\d+/.exec(text)?.[0]
  return digits === undefined ? null : { seconds: Math.min(Number(digits), maxSeconds), end: digits.length }
}

const readWithParams = (text: string): { readonly seconds: number; readonly params: Params } | null => {
  const read = readSeconds(text)
  const params = read && readParams(text, read.end)
  return read && params && { seconds: read.seconds, params }
}

/**
 * Parses a number of seconds, as Expires, Min-Expires, Min-SE and the `expires` of a Contact have it (RFC 3261, sections
 * 20.19 and 20.23; RFC 4028, section 5). Parameters behind it are ignored, and a number beyond 2^32-1 is that number.
 */
export const parseSeconds = (text: string): Either.Either<number, MalformedHeader> => {
  const read = readWithParams(text)
  return read === null ? malformed("A number of seconds is malformed") : Either.right(read.seconds)
}

/** Duration of a session, and who keeps it alive: a value of Session-Expires (RFC 4028, section 4). */
export interface SessionExpires {
  readonly seconds: number
  /** `uac`: the sender of the request; `uas`: its receiver; null: not decided yet. */
  readonly refresher: "uac" | "uas" | null
}

/** Parses a value of Session-Expires. */
export const parseSessionExpires = (text: string): Either.Either<SessionExpires, MalformedHeader> => {
  const read = readWithParams(text)
  if (read === null) return malformed("The Session-Expires header field is malformed")
  const refresher = param(read.params, "refresher")?.toLowerCase()
  return Either.right({
    seconds: read.seconds,
    refresher: refresher === "uac" || refresher === "uas" ? refresher : null
  })
}

/** Writes a value of Session-Expires. */
export const writeSessionExpires = ({ refresher, seconds }: SessionExpires): string =>
  refresher === null ? String(seconds) : `${seconds};refresher=${refresher}`

/** When to try again: a value of Retry-After (RFC 3261, section 20.33). */
export interface RetryAfter {
  readonly seconds: number
  /** Comment for people; empty when there is none. */
  readonly comment: string
  /** For how long the callee will then be available, in seconds; null when it does not say. */
  readonly duration: number | null
}

const comment = /^[ \t]*\(((?:[^\\]|\\[^])*)\)/

/** Parses a value of Retry-After, with its comment and parameters. */
export const parseRetryAfter = (text: string): Either.Either<RetryAfter, MalformedHeader> => {
  const read = readSeconds(text)
  if (read === null) return malformed("The Retry-After header field is malformed")
  const [commentText = "", note = ""] = comment.exec(text.slice(read.end)) ?? []
  const params = readParams(text, read.end + commentText.length)
  if (params === null) return malformed("The Retry-After header field is malformed")
  const duration = param(params, "duration") ?? ""
  return Either.right({
    seconds: read.seconds,
    comment: note.replace(/\\([^])/g, "$1"),
    duration: /^\d{1,10}$/.test(duration) ? Number(duration) : null
  })
}
