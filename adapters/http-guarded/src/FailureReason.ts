const reasons: Readonly<Record<string, string>> = {
  ERR_ADDRESS_REFUSED: "the host is not on the public internet",
  ENOTFOUND: "the host name does not resolve",
  EAI_AGAIN: "the host name does not resolve for now",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was closed",
  ETIMEDOUT: "no connection in time",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
  UND_ERR_SOCKET: "the connection was closed",
  UND_ERR_HEADERS_OVERFLOW: "the answer's headers are too large",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the answer is not as long as it said"
}

const families: ReadonlyArray<readonly [code: RegExp, reason: string]> = [
  [/CERT|TLS|SSL|ISSUER|UNABLE_TO_VERIFY|EPROTO/, "no secure connection could be agreed"],
  [/^HPE_/, "the answer is not HTTP"],
  [/^Z_|^ERR__ERROR_|BROTLI/, "the answer's compression is broken"]
]

/**
 * What went wrong with a request, in words fit for a log and for a delivery record.
 *
 * Only the error's code is looked at: messages of network errors hold addresses.
 */
export const failureReason = (error: unknown): string => {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : ""
  return reasons[code] ?? families.find(([family]) => family.test(code))?.[1] ?? "the request failed"
}
