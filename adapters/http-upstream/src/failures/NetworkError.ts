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

/** An error of a connection, as far as its code tells. Its message is not looked at: it holds addresses. */
export interface NetworkError {
  /** The code, or the name of an error without one. */
  readonly code: string
  /** Whether what came was no HTTP. */
  readonly isNotHttp: boolean
  /** Why the server cannot be reached, to follow a colon; undefined where the code does not tell. */
  readonly reason: string | undefined
}

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown"
  return "code" in error && typeof error.code === "string" ? error.code : error.name
}

/** What an error of a connection says. */
export const networkErrorOf = (error: unknown): NetworkError => {
  const code = codeOf(error)
  return { code, isNotHttp: notHttp.test(code), reason: reasons.find(([known]) => known.test(code))?.[1] }
}
