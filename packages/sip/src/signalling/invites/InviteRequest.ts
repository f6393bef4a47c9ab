import { Either } from "effect"
import { type AgentContext, capabilities, sdpBody } from "../agent/AgentContext.js"
import type { Routed } from "../dialogs/Dialog.js"
import { routeTo } from "../dialogs/Routing.js"
import { sessionRequest } from "../dialogs/SessionTimer.js"
import { writeNameAddr } from "../headers/NameAddr.js"
import { parseUri } from "../headers/Uri.js"
import type { Headers } from "../message/Message.js"
import type { Invitation, Party } from "./OutgoingCall.js"
import { reliableProvisionals } from "./ReliableProgress.js"

/** User part of a URI, or its telephone number; null where it has neither. */
export const userOf = (uri: string): string | null =>
  Either.match(parseUri(uri), {
    onLeft: () => null,
    onRight: (parsedUri) =>
      parsedUri._tag === "SipUri" ? parsedUri.user : parsedUri._tag === "TelUri" ? parsedUri.number : null
  })

const addressOf = ({ displayName = "", uri }: Party, tag?: string): string =>
  writeNameAddr({ displayName, uri, params: tag === undefined ? [] : [["tag", tag]] })

/** Header fields that this side sets itself; an invitation cannot change them. */
const ownHeaders = new Set([
  "via",
  "max-forwards",
  "route",
  "from",
  "to",
  "call-id",
  "cseq",
  "contact",
  "content-length",
  "content-type",
  "session-expires",
  "min-se"
])

/** Parts of an INVITE that change from one try to the next. */
export interface InviteTry {
  readonly callId: string
  readonly localTag: string
  readonly number: number
  readonly contact: string
  /** Least session interval that the other side allows, in seconds. */
  readonly minimum: number
}

/** The INVITE of a call, without its Via. */
export const inviteRequest = (
  agent: AgentContext,
  { from, headers = [], offer, routes = [], target, to = { uri: target } }: Invitation,
  { callId, contact, localTag, minimum, number }: InviteTry
): Routed => {
  const way = routeTo(target, routes.map((uri) => `<${uri}>`))
  const sdp = sdpBody(offer)
  const dialog: Headers = [
    ["max-forwards", "70"],
    ...way.routes.map((route) => ["route", route] as const),
    ["from", addressOf(from, localTag)],
    ["to", addressOf(to)],
    ["call-id", callId],
    ["cseq", `${number} INVITE`],
    ["contact", contact]
  ]
  const session = sessionRequest({ ...agent.session, minimum })
  const further = headers.filter(([name]) => !ownHeaders.has(name))
  return {
    hop: way.hop,
    request: {
      _tag: "Request",
      method: "INVITE",
      uri: way.uri,
      headers: [
        ...dialog,
        ...capabilities(agent.product, reliableProvisionals),
        ...session,
        ...further,
        ...sdp.headers
      ],
      body: sdp.body
    }
  }
}
