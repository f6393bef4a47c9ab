import { Either } from "effect"
import { parseNameAddr, writeNameAddr } from "../headers/NameAddr.js"
import { param, withParam } from "../headers/Params.js"
import { header, type Headers, headers, type SipRequest, type SipResponse } from "../message/Message.js"

/** Reason phrases of the responses that a user agent sends (RFC 3261, section 21, and the RFCs of single headers). */
const phrases: Readonly<Record<number, string>> = {
  100: "Trying",
  180: "Ringing",
  183: "Session Progress",
  200: "OK",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  408: "Request Timeout",
  413: "Request Entity Too Large",
  415: "Unsupported Media Type",
  416: "Unsupported URI Scheme",
  420: "Bad Extension",
  422: "Session Interval Too Small",
  480: "Temporarily Unavailable",
  481: "Call/Transaction Does Not Exist",
  482: "Loop Detected",
  484: "Address Incomplete",
  486: "Busy Here",
  487: "Request Terminated",
  488: "Not Acceptable Here",
  491: "Request Pending",
  500: "Server Internal Error",
  501: "Not Implemented",
  503: "Service Unavailable",
  505: "Version Not Supported",
  600: "Busy Everywhere",
  603: "Decline"
}

const general = ["Trying", "OK", "Multiple Choices", "Bad Request", "Server Internal Error", "Busy Everywhere"]

/** The usual phrase of a status, or that of its class. */
const phraseOf = (status: number): string => phrases[status] ?? general[Math.floor(status / 100) - 1] ?? "Unknown"

const noBody = new Uint8Array(0)

/** Parts of a response beyond those that it copies from its request. */
export interface ResponseParts {
  /** Tag of To, added where the request has none. Every response but 100 needs one. */
  readonly tag?: string
  readonly headers?: Headers
  readonly body?: Uint8Array
  readonly phrase?: string
}

const taggedTo = (to: string, tag: string | undefined): string =>
  tag === undefined ? to : Either.match(parseNameAddr(to), {
    onLeft: () => to,
    onRight: (address) =>
      param(address.params, "tag") === undefined
        ? writeNameAddr({ ...address, params: withParam(address.params, "tag", tag) })
        : to
  })

/** A response with what it copies from its request: Via, From, To, Call-ID and CSeq (RFC 3261, section 8.2.6.2). */
export const responseTo = (
  request: SipRequest,
  status: number,
  { body = noBody, headers: further = [], phrase = phraseOf(status), tag }: ResponseParts = {}
): SipResponse => {
  const copies = ["from", "call-id", "cseq"].flatMap((name) => {
    const value = header(request, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const to = header(request, "to")
  return {
    _tag: "Response",
    status,
    reason: phrase,
    headers: [
      ...headers(request, "via").map((via) => ["via", via] as const),
      ...copies,
      ...(to === undefined ? [] : [["to", taggedTo(to, tag)] as const]),
      ...further
    ],
    body
  }
}
