import { header, type Headers, headers, type SipRequest, type SipResponse } from "../message/Message.js"

const noBody = new Uint8Array(0)

const some = (name: string, value: string | undefined): Headers => value === undefined ? [] : [[name, value]]

const numberOf = (request: SipRequest): string => header(request, "cseq")?.split(" ")[0] ?? "0"

/** A request that belongs to an INVITE and takes the same way: one Via, which is its own, and the same routes. */
const follow = (
  invite: SipRequest,
  method: "ACK" | "CANCEL",
  to: string | undefined,
  further: Headers
): SipRequest => ({
  _tag: "Request",
  method,
  uri: invite.uri,
  headers: [
    ...some("via", header(invite, "via")),
    ["max-forwards", "70"],
    ...headers(invite, "route").map((route) => ["route", route] as const),
    ...some("from", header(invite, "from")),
    ...some("to", to),
    ...some("call-id", header(invite, "call-id")),
    ["cseq", `${numberOf(invite)} ${method}`],
    ...further
  ],
  body: noBody
})

/** The ACK for a final response other than 2xx (RFC 3261, section 17.1.1.3). */
export const acknowledge = (invite: SipRequest, response: SipResponse): SipRequest =>
  follow(invite, "ACK", header(response, "to"), [])

/** The CANCEL of an INVITE (RFC 3261, section 9.1), with a Reason header if one is given. */
export const cancelOf = (invite: SipRequest, reason?: string): SipRequest =>
  follow(invite, "CANCEL", header(invite, "to"), some("reason", reason))
