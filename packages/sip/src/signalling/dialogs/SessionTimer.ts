import { Either } from "effect"
import { parseSeconds, parseSessionExpires, type SessionExpires, writeSessionExpires } from "../headers/Seconds.js"
import { header, type Headers, type SipMessage, type SipRequest, type SipResponse } from "../message/Message.js"
import { namesIn } from "../message/OptionTags.js"

/** Intervals that this side wants, in seconds (RFC 4028). */
export interface SessionLimits {
  /** Interval to ask for. */
  readonly expires: number
  /** Least interval to accept; at least 90 (RFC 4028, section 5). */
  readonly minimum: number
}

/** A session timer that both sides agreed on. */
export interface TimerSession {
  /** Seconds after which a session that was not refreshed ends. */
  readonly expires: number
  /** This side refreshes; otherwise the other one does. */
  readonly isOurs: boolean
}

const sessionExpires = (message: SipMessage): SessionExpires | null => {
  const value = header(message, "session-expires")
  return value === undefined ? null : Either.getOrNull(parseSessionExpires(value))
}

/** Least interval that a message allows; 90 seconds where it says nothing. */
export const minimumIn = (message: SipMessage): number => {
  const value = header(message, "min-se")
  return value === undefined ? 90 : Math.max(90, Either.getOrElse(parseSeconds(value), () => 90))
}

/** Headers of our INVITE or UPDATE. `session` is the present one, whose roles are kept. */
export const sessionRequest = ({ expires, minimum }: SessionLimits, session: TimerSession | null = null): Headers => {
  const refresher = session === null ? null : session.isOurs ? "uac" : "uas"
  return [
    ["session-expires", writeSessionExpires({ seconds: Math.max(expires, minimum), refresher })],
    ...(minimum > 90 ? [["min-se", `${minimum}`] as const] : [])
  ]
}

/** Session that a 2xx to our request agrees to; null where the other side wants none (RFC 4028, section 7.2). */
export const sessionOfResponse = (response: SipResponse): TimerSession | null => {
  const agreement = sessionExpires(response)
  return agreement === null ? null : { expires: agreement.seconds, isOurs: agreement.refresher !== "uas" }
}

/** Our answer to the session that a request asks for. */
export type SessionAnswer =
  /** Refuses with 422 and Min-SE. */
  | { readonly _tag: "TooSmall"; readonly headers: Headers }
  | { readonly _tag: "Agreed"; readonly session: TimerSession | null; readonly headers: Headers }

/**
 * Answers the session that a request asks for (RFC 4028, section 9): its interval, or ours if that is shorter and still
 * allowed. The other side refreshes unless it asks us to, or does not support session timers itself.
 */
export const answerSession = (request: SipRequest, { expires, minimum }: SessionLimits): SessionAnswer => {
  const sessionInterval = sessionExpires(request)
  const isSupported = namesIn(request, "supported").includes("timer")
  if (sessionInterval !== null && isSupported && sessionInterval.seconds < minimum) {
    return { _tag: "TooSmall", headers: [["min-se", `${minimum}`]] }
  }
  if (sessionInterval === null && !isSupported) return { _tag: "Agreed", session: null, headers: [] }
  const seconds = Math.max(Math.min(sessionInterval?.seconds ?? expires, expires), minimumIn(request), minimum)
  const refresher = isSupported ? sessionInterval?.refresher ?? "uac" : "uas"
  return {
    _tag: "Agreed",
    session: { expires: seconds, isOurs: refresher === "uas" },
    headers: [
      ...(refresher === "uac" ? [["require", "timer"] as const] : []),
      ["session-expires", writeSessionExpires({ seconds, refresher })]
    ]
  }
}

/** Milliseconds after which a session is refreshed, or given up (RFC 4028, section 10). */
export const sessionDeadlines = ({ expires, isOurs }: TimerSession): {
  readonly refresh: number | null
  readonly giveUp: number
} => ({
  refresh: isOurs ? expires * 500 : null,
  giveUp: (isOurs ? expires : expires - Math.min(32, expires / 3)) * 1_000
})
