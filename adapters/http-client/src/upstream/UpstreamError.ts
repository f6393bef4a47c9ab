import { ModelFailed, type ModelRateLimited, ModelTimedOut, ModelUnavailable } from "@trunkline/errors"
import { Duration } from "effect"
import type { Millis, Phase } from "./Options.js"

/** Failure of a call to an upstream server. No message repeats what the server sent: it may hold texts and keys. */
export type UpstreamFailure = ModelUnavailable | ModelFailed | ModelRateLimited | ModelTimedOut

/** An error of one attempt: the failure for the caller, and a short note for the log. */
export interface UpstreamError {
  readonly failure: UpstreamFailure
  readonly note: string
  /** Delay after which another attempt may succeed, as long as nothing has arrived; null if none would. */
  readonly retryDelay: Duration.Duration | null
}

/** Delay before another attempt where the server asks for none. */
export const defaultRetryDelay = Duration.millis(250)

/** A response that makes no sense. `who` names the server, such as "speech server". */
export const invalidResponse = (serverName: string, note: string): UpstreamError => ({
  failure: new ModelFailed({ message: `The ${serverName} gave an answer that makes no sense. Try again.` }),
  note,
  retryDelay: null
})

/** A response that ended before it was complete. */
export const truncatedResponse = (serverName: string, note: string): UpstreamError => ({
  failure: new ModelFailed({ message: `The ${serverName}'s answer broke off. Try again.` }),
  note,
  retryDelay: defaultRetryDelay
})

/** A response larger than the limit of its reader. */
export const oversizedResponse = (serverName: string): UpstreamError => ({
  failure: new ModelFailed({ message: `The ${serverName}'s answer is too large` }),
  note: "too large",
  retryDelay: null
})

const missedPhases: Readonly<Record<Phase, string>> = {
  connect: "it was not connected",
  firstByte: "its answer did not begin",
  betweenBytes: "its answer did not go on",
  total: "its answer was not whole"
}

/** A phase that took longer than its timeout. */
export const phaseTimeout = (serverName: string, phase: Phase, millis: Millis): UpstreamError => ({
  failure: new ModelTimedOut({
    message: `The ${serverName} took too long: ${missedPhases[phase]} within ${Duration.format(millis[phase])}`
  }),
  note: `timeout of ${phase}`,
  retryDelay: null
})

const reasons: ReadonlyArray<readonly [code: RegExp, reason: string]> = [
  [/^(ENOTFOUND|EAI_)/, "its host name does not resolve"],
  [/^ECONNREFUSED$/, "the connection was refused"],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, "the connection was closed"],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, "no connection in time"],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, "there is no way to its host"],
  [/CERT|TLS|SSL|ISSUER|UNABLE_TO_VERIFY|EPROTO/, "no secure connection could be agreed"],
  [/^UND_ERR_INVALID_ARG$/, "a header that it needs is malformed"],
  [/^UND_ERR_(CLOSED|DESTROYED)$/, "we are closing down"]
]

const notHttp = /^HPE_|^HTTPParserError$|^UND_ERR_(HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH)$/

/** A connection error, as far as its code tells. Its message is not read: it holds addresses. */
export interface NetworkError {
  /** The error code, or the name of an error without one. */
  readonly code: string
  /** True when the bytes that arrived were not HTTP. */
  readonly isNotHttp: boolean
  /** Why the server cannot be reached, as the end of a sentence; undefined where the code does not tell. */
  readonly reason: string | undefined
}

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown"
  return "code" in error && typeof error.code === "string" ? error.code : error.name
}

/** Classifies a connection error by its code. */
export const networkErrorOf = (error: unknown): NetworkError => {
  const code = codeOf(error)
  return { code, isNotHttp: notHttp.test(code), reason: reasons.find(([pattern]) => pattern.test(code))?.[1] }
}

/** Codes of servers that restart, or that closed an idle connection just as it was reused. */
const transient = /^(ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET|EAI_AGAIN)$/

/** Translates a connection error; `hasBegun` when part of the response had arrived. */
export const networkUpstreamError = (serverName: string, error: unknown, hasBegun: boolean): UpstreamError => {
  const { code, isNotHttp, reason } = networkErrorOf(error)
  if (isNotHttp) return invalidResponse(serverName, code)
  if (hasBegun) return truncatedResponse(serverName, code)
  return {
    failure: reason === undefined
      ? new ModelFailed({ message: `The request to the ${serverName} failed. Try again.` })
      : new ModelUnavailable({ message: `The ${serverName} cannot be reached: ${reason}` }),
    note: code,
    retryDelay: transient.test(code) ? defaultRetryDelay : null
  }
}
