import type { Effect } from "effect"
import type { RequestParts } from "../dialogs/Dialog.js"
import type { SessionLimits } from "../dialogs/SessionTimer.js"
import { writeNameAddr } from "../headers/NameAddr.js"
import { writeUri } from "../headers/Uri.js"
import type { Headers, SipMessage, SipRequest } from "../message/Message.js"
import { sessionIn, sessionType } from "../session/SessionBody.js"
import type { ClientTransactions, TransactionContext } from "../transactions/ClientTransactions.js"
import { giveUpAfter } from "../transactions/Machine.js"
import type { ServerTransaction } from "../transactions/ServerTransactions.js"
import type { SipAddress } from "../transport/SipTransport.js"

/** A call as the requests within its dialog find it. */
export interface CallEntry {
  /** Takes a request other than ACK and CANCEL. */
  readonly receive: (transaction: ServerTransaction) => void
  /** Takes the ACK of a 2xx. */
  readonly takeAck: (ack: SipRequest) => void
  /** Ends the call because the user agent closes; completes when that is confirmed. */
  readonly close: Effect.Effect<void>
}

/** Means that all calls and requests of a user agent share. */
export interface AgentContext extends TransactionContext {
  readonly clients: ClientTransactions
  /** Starts an effect in a fiber of the user agent; its first steps run at once. */
  readonly start: (effect: Effect.Effect<void>) => void
  readonly session: SessionLimits
  /** Value of User-Agent and Server. */
  readonly product: string
  /** Calls by Call-ID and local tag, see `callKey`. */
  readonly calls: Map<string, CallEntry>
  /** As many transactions as there may be. */
  readonly isFull: () => boolean
  /** The user agent takes and places no more calls. */
  readonly isClosing: () => boolean
}

/** Key of a call. */
export const callKey = (callId: string, localTag: string): string => `${localTag} ${callId}`

/** Methods that this side accepts from others. */
export const methods = ["INVITE", "ACK", "CANCEL", "BYE", "OPTIONS", "UPDATE", "INFO", "NOTIFY"] as const

/** Headers that tell the other side our capabilities, with further extensions. */
export const capabilities = (product: string, ...extensions: ReadonlyArray<string>): Headers => [
  ["allow", methods.join(", ")],
  ["supported", ["timer", ...extensions].join(", ")],
  ["user-agent", product]
]

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]

/** Session description as a body, with its headers. */
export const sdpBody = (sdp: string): Required<RequestParts> => ({
  headers: [["content-type", sessionType]],
  body: encoder.encode(sdp)
})

export const textOf = (body: Uint8Array): string => decoder.decode(body)

/** Session description of a message; null where it has none. */
export const sdpOf = (message: SipMessage): string | null => {
  const session = sessionIn(message)
  return session === null ? null : textOf(session)
}

/** Value of Contact for peers behind an address. */
export const contactFor = ({ transport }: AgentContext, address: SipAddress, user: string | null): string => {
  const { host, port } = transport.local(address)
  const uri = writeUri({
    _tag: "SipUri",
    scheme: "sip",
    user,
    password: null,
    host,
    port,
    params: address.protocol === "udp" ? [] : [["transport", address.protocol]],
    headers: []
  })
  return writeNameAddr({ displayName: "", uri, params: [] })
}

/** Longest time to ring, in milliseconds, for calls without a limit of their own. */
export const maxRinging = 180_000

/** Time after which the other side is given up, in milliseconds. */
export const patience = ({ timers }: AgentContext): number => giveUpAfter(timers)
