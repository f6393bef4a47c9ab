import { Schema } from "effect"
import type { Hop } from "../agent/Hops.js"
import type { Dialog } from "../dialogs/Dialog.js"
import type { SipRequest } from "../message/Message.js"
import type { SipAddress } from "../transport/SipTransport.js"

const Address = Schema.Struct({
  protocol: Schema.Literal("udp", "tcp", "tls"),
  host: Schema.String,
  port: Schema.Int,
  serverName: Schema.optionalWith(Schema.String, { exact: true })
})

/** An INVITE without a final response: what its CANCEL repeats. */
const Inviting = Schema.TaggedStruct("Inviting", {
  uri: Schema.String,
  headers: Schema.Array(Schema.Tuple(Schema.String, Schema.String)),
  address: Address
})
export type Inviting = typeof Inviting.Type

/** A dialog, with the next hop and its address where they are known. */
const Talking = Schema.TaggedStruct("Talking", {
  dialog: Schema.Struct({
    callId: Schema.String,
    localTag: Schema.String,
    remoteTag: Schema.String,
    local: Schema.String,
    remote: Schema.String,
    remoteTarget: Schema.String,
    routes: Schema.Array(Schema.String),
    localNumber: Schema.Int,
    remoteNumber: Schema.NullOr(Schema.Int)
  }),
  hop: Schema.NullOr(Schema.Struct({ uri: Schema.String, address: Address }))
})
export type Talking = typeof Talking.Type

/**
 * Means to end a call after its user agent is gone (RFC 3261, sections 9.1 and 12), as JSON. It holds the URIs of both sides, and
 * no credentials: it is for a database, not for logs.
 */
export const Signalling = Schema.parseJson(Schema.Union(Inviting, Talking))

const encode = Schema.encodeSync(Signalling)

/** The connection of an address ends with its process. */
const lastingAddress = ({ connection: _, ...address }: SipAddress) => address

const commonHeaders: ReadonlyArray<string> = ["via", "route", "from", "to", "call-id", "cseq"]

/** Signalling of an INVITE as it was sent. */
export const signallingOfInvite = ({ headers, uri }: SipRequest, address: SipAddress): string =>
  encode({
    _tag: "Inviting",
    uri,
    headers: headers.filter(([name]) => commonHeaders.includes(name)),
    address: lastingAddress(address)
  })

/** Signalling of an answered call. */
export const signallingOfDialog = (dialog: Dialog, hop: Hop | undefined): string =>
  encode({
    _tag: "Talking",
    dialog,
    hop: hop === undefined ? null : { uri: hop[0], address: lastingAddress(hop[1]) }
  })
