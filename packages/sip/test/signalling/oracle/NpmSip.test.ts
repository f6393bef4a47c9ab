import { Either, FastCheck } from "effect"
import * as npm from "sip"
import { describe, expect, it } from "vitest"
import {
  branchOf,
  header,
  headers,
  type NameAddr,
  parseCSeq,
  parseMessage,
  parseNameAddr,
  parseUri,
  parseVia,
  type SipMessage,
  writeMessage,
  writeUri
} from "../../../src/index.js"
import { messages, namedUris } from "../fuzz/Messages.js"

/** Parameters as the other parser returns them. */
const record = ({ params }: Pick<NameAddr, "params">) => Object.fromEntries(params)

const address = (value: string) => {
  const parsed = Either.getOrThrow(parseNameAddr(value))
  return { uri: parsed.uri, params: record(parsed) }
}

const foreignAddress = ({ params, uri }: npm.ForeignAddress) => ({ uri, params: { ...params } })

/** A message as both parsers read it. */
const ours = (message: SipMessage) => ({
  start: message._tag === "Request" ? [message.method, message.uri] : [message.status],
  callId: header(message, "call-id"),
  cseq: Either.getOrThrow(parseCSeq(header(message, "cseq") ?? "")),
  from: address(header(message, "from") ?? ""),
  to: address(header(message, "to") ?? ""),
  contacts: headers(message, "contact").map(address),
  vias: headers(message, "via").map((value) => Either.getOrThrow(parseVia(value))).map((via) => ({
    transport: via.transport,
    host: via.sentBy.host,
    port: via.sentBy.port,
    branch: branchOf(via)
  }))
})

const theirs = ({ headers: read, method, status, uri }: npm.ForeignMessage) => ({
  start: method === undefined ? [status] : [method, uri],
  callId: read["call-id"],
  cseq: { number: read.cseq.seq, method: read.cseq.method },
  from: foreignAddress(read.from),
  to: foreignAddress(read.to),
  contacts: (read.contact ?? []).map(foreignAddress),
  vias: read.via.map(({ host, params, port, protocol }) => ({
    transport: protocol,
    host: host.toLowerCase(),
    port: port ?? null,
    branch: params["branch"] ?? null
  }))
})

/** Messages that the other parser can hold: it keeps parameters in plain objects, which lose one named `__proto__`. */
const fairMessages = messages({ hosts: "names" }).filter(({ headers }) =>
  headers.every(([, value]) => !value.includes("__proto__"))
)

describe("beside the npm package sip, which misreads IPv6 hosts of Via", () => {
  it("messages mean the same", () => {
    FastCheck.assert(FastCheck.property(fairMessages, (message) => {
      const bytes = writeMessage(message)
      const foreign = npm.parse(Buffer.from(bytes).toString("latin1"))
      expect(foreign && theirs(foreign)).toEqual(ours(Either.getOrThrow(parseMessage(bytes))))
    }))
  })

  it("messages that it writes mean the same", () => {
    FastCheck.assert(FastCheck.property(fairMessages, (message) => {
      const foreign = npm.parse(Buffer.from(writeMessage({ ...message, body: new Uint8Array(0) })).toString("latin1"))
      if (foreign === undefined) throw new Error("npm sip cannot parse it")
      const written = parseMessage(Buffer.from(npm.stringify(foreign), "latin1"))
      expect(ours(Either.getOrThrow(written))).toEqual(ours(message))
    }))
  })

  it("URIs mean the same", () => {
    FastCheck.assert(FastCheck.property(namedUris, (uri) => {
      const foreign = npm.parseUri(writeUri(uri))
      const parsed = Either.getOrThrow(parseUri(writeUri(uri)))
      if (parsed._tag !== "SipUri" || foreign === undefined) throw new Error("One of both cannot parse it")
      expect([foreign.schema, foreign.user ?? null, foreign.host.toLowerCase(), foreign.port || null, {
        ...foreign.params
      }]).toEqual(
        [parsed.scheme, parsed.user, parsed.host, parsed.port, record(parsed)]
      )
    }))
  })
})
