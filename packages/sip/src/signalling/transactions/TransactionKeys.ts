import { Either } from "effect"
import { parseCSeq } from "../headers/CSeq.js"
import { writeHostPort } from "../headers/Host.js"
import { tagOf } from "../headers/NameAddr.js"
import { withParam } from "../headers/Params.js"
import { branchOf, parseVia, type Via, writeVia } from "../headers/Via.js"
import { header, type SipMessage, type SipRequest, type SipResponse } from "../message/Message.js"
import type { SipAddress } from "../transport/SipTransport.js"

/** Start of the branches of RFC 3261, which are unique; those of RFC 2543 are not. */
export const magicCookie = "z9hG4bK"

/** The topmost Via; undefined where there is none that can be read. */
export const topVia = (message: SipMessage): Via | undefined =>
  Either.getOrUndefined(parseVia(header(message, "via") ?? ""))

/** Key of the client transaction that a response belongs to (RFC 3261, section 17.1.3). */
export const clientKey = (response: SipResponse): string | undefined => {
  const via = topVia(response)
  const method = Either.getOrUndefined(parseCSeq(header(response, "cseq") ?? ""))?.method
  const branch = via === undefined ? null : branchOf(via)
  return branch === null || method === undefined ? undefined : `${branch} ${method}`
}

/**
 * Key of the server transaction that a request belongs to (RFC 3261, section 17.2.3): branch, sender and method. Peers of
 * RFC 2543 are matched by URI, Call-ID, tag of From, CSeq and Via. An ACK has the key of its INVITE; `method` finds that of
 * a CANCEL's INVITE.
 */
export const serverKey = (request: SipRequest, via: Via, method = request.method): string => {
  const keyMethod = method === "ACK" ? "INVITE" : method
  const branch = branchOf(via)
  if (branch?.startsWith(magicCookie)) return `${branch} ${writeHostPort(via.sentBy)} ${keyMethod}`
  const number = Either.getOrUndefined(parseCSeq(header(request, "cseq") ?? ""))?.number
  const tag = tagOf(header(request, "from") ?? "")
  return [request.uri, header(request, "call-id"), tag, number, header(request, "via"), keyMethod].join(" ")
}

/** Key that copies of one request share which came on several ways (RFC 3261, section 8.2.2.2). */
export const mergeKey = (request: SipRequest): string =>
  [tagOf(header(request, "from") ?? ""), header(request, "call-id"), header(request, "cseq")].join(" ")

/**
 * Notes in the topmost Via where a request came from, if that differs from what the sender believes or if it asks to know
 * (RFC 3261, section 18.2.1, and RFC 3581, section 4).
 */
export const withSource = (request: SipRequest, via: Via, source: SipAddress): SipRequest => {
  const asks = via.params.some(([name]) => name === "rport")
  if (!asks && via.sentBy.host === source.host) return request
  const receivedParams = withParam(via.params, "received", source.host)
  const params = asks ? withParam(receivedParams, "rport", `${source.port}`) : receivedParams
  const viaHeader = ["via", writeVia({ ...via, params })] as const
  const top = request.headers.findIndex(([name]) => name === "via")
  return { ...request, headers: request.headers.map((entry, index) => index === top ? viaHeader : entry) }
}

/** Address for the responses to a request (RFC 3261, section 18.2.2, and RFC 3581, section 4). */
export const responseAddress = (via: Via, source: SipAddress): SipAddress => {
  const port = via.params.some(([name]) => name === "rport") ? source.port : via.sentBy.port ?? 5060
  return source.protocol === "udp" ? { ...source, port } : { ...source, port: via.sentBy.port ?? 5060 }
}
