import { Either } from "effect"
import { parseCSeq } from "../headers/CSeq.js"
import { parseNameAddr, tagOf, writeNameAddr } from "../headers/NameAddr.js"
import { withParam } from "../headers/Params.js"
import {
  header,
  type Headers,
  headers,
  type SipMessage,
  type SipRequest,
  type SipResponse
} from "../message/Message.js"
import { routeTo } from "./Routing.js"

/** State that two user agents share about a call (RFC 3261, section 12). */
export interface Dialog {
  readonly callId: string
  readonly localTag: string
  /** Empty for a peer of RFC 2543 that has none. */
  readonly remoteTag: string
  /** Value of From in our requests. */
  readonly local: string
  /** Value of To in our requests. */
  readonly remote: string
  /** URI of the other side's latest Contact. */
  readonly remoteTarget: string
  /** Values of the proxies that stay on the way, from ours to the other side's. */
  readonly routes: ReadonlyArray<string>
  /** CSeq number of our latest request. */
  readonly localNumber: number
  /** CSeq number of the other side's latest request; null before the first. */
  readonly remoteNumber: number | null
}

/** URI of the Contact header; undefined where there is none that can be read. */
export const contactOf = (message: SipMessage): string | undefined =>
  Either.getOrUndefined(parseNameAddr(header(message, "contact") ?? ""))?.uri

/** Number of CSeq; 0 where it cannot be read. */
export const numberOf = (message: SipMessage): number =>
  Either.match(parseCSeq(header(message, "cseq") ?? ""), { onLeft: () => 0, onRight: ({ number }) => number })

/** The tag of From or To; empty where there is none. */
export const tagIn = (message: SipMessage, name: "from" | "to"): string => tagOf(header(message, name) ?? "") ?? ""

/** A value of From or To with a tag. */
const withTag = (address: string, tag: string): string =>
  Either.match(parseNameAddr(address), {
    onLeft: () => address,
    onRight: (parsedNameAddr) =>
      writeNameAddr({ ...parsedNameAddr, params: withParam(parsedNameAddr.params, "tag", tag) })
  })

/** The dialog that a response to our request makes (RFC 3261, section 12.1.2). */
export const dialogOfResponse = (request: SipRequest, response: SipResponse): Dialog => ({
  callId: header(request, "call-id") ?? "",
  localTag: tagIn(request, "from"),
  remoteTag: tagIn(response, "to"),
  local: header(request, "from") ?? "",
  remote: header(response, "to") ?? "",
  remoteTarget: contactOf(response) ?? request.uri,
  routes: headers(response, "record-route").toReversed(),
  localNumber: numberOf(request),
  remoteNumber: null
})

/** The dialog that our response to a request makes (RFC 3261, section 12.1.1). */
export const dialogOfRequest = (request: SipRequest, localTag: string): Dialog => ({
  callId: header(request, "call-id") ?? "",
  localTag,
  remoteTag: tagIn(request, "from"),
  local: withTag(header(request, "to") ?? "", localTag),
  remote: header(request, "from") ?? "",
  remoteTarget: contactOf(request) ?? "",
  routes: headers(request, "record-route"),
  localNumber: 0,
  remoteNumber: numberOf(request)
})

/** Parts of a request beyond those that follow from its dialog. */
export interface RequestParts {
  readonly headers?: Headers
  readonly body?: Uint8Array
}

/** A request without its Via, and the URI of its next hop. */
export interface Routed {
  readonly request: SipRequest
  readonly hop: string
}

const noBody = new Uint8Array(0)

/** A request within a dialog (RFC 3261, section 12.2.1.1), with a CSeq number. */
export const requestWithin = (
  dialog: Dialog,
  method: string,
  number: number,
  { body = noBody, headers: further = [] }: RequestParts = {}
): Routed => {
  const { hop, routes, uri } = routeTo(dialog.remoteTarget, dialog.routes)
  const request: SipRequest = {
    _tag: "Request",
    method,
    uri,
    headers: [
      ["max-forwards", "70"],
      ...routes.map((route) => ["route", route] as const),
      ["from", dialog.local],
      ["to", dialog.remote],
      ["call-id", dialog.callId],
      ["cseq", `${number} ${method}`],
      ...further
    ],
    body
  }
  return { request, hop }
}

/** The dialog after a request or response that may name a new Contact (RFC 3261, section 12.2). */
export const withTarget = (dialog: Dialog, message: SipMessage): Dialog => {
  const remoteTarget = contactOf(message)
  return remoteTarget === undefined ? dialog : { ...dialog, remoteTarget }
}
