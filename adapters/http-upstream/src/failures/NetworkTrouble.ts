import { ModelFailed, ModelUnavailable } from "@trunkline/errors"
import { brokenOff, nonsense, type Trouble, usualPause } from "./Trouble.js"

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

/** A server that starts anew, or that closed a connection just as it was taken for another request. */
const passing = /^(ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET|EAI_AGAIN)$/

/** The code of an error, or its name. Messages of network errors hold addresses. */
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown"
  return "code" in error && typeof error.code === "string" ? error.code : error.name
}

/** What an error of the connection means; `begun`: the answer had begun to arrive. */
export const networkTrouble = (who: string, error: unknown, begun: boolean): Trouble => {
  const code = codeOf(error)
  if (notHttp.test(code)) return nonsense(who, code)
  if (begun) return brokenOff(who, code)
  const reason = reasons.find(([known]) => known.test(code))?.[1]
  return {
    failure: reason === undefined
      ? new ModelFailed({ message: `The request to the ${who} failed. Try again.` })
      : new ModelUnavailable({ message: `The ${who} cannot be reached: ${reason}` }),
    note: code,
    again: passing.test(code) ? usualPause : null
  }
}
