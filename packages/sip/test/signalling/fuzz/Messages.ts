import { FastCheck } from "effect"
import { type SipMessage, writeCSeq, writeNameAddr, writeUri, writeVia } from "../../../src/index.js"

const token = FastCheck.stringMatching(/^[\w.!%*+`'~-]{1,20}$/)
const host = FastCheck.oneof(
  FastCheck.domain(),
  FastCheck.ipV4(),
  FastCheck.constantFrom("2001:db8::1", "::ffff:192.0.2.1", "fe80::a:b")
)
const hostName = FastCheck.oneof(FastCheck.domain(), FastCheck.ipV4())
const port = FastCheck.option(FastCheck.integer({ min: 1, max: 65_535 }))

/** Text as a header field may have it: no line ends, and no blanks around it. */
const text = FastCheck.string({ maxLength: 60, unit: "grapheme" }).map((value) =>
  value.replace(/[\r\n]/g, " ").replace(/^[ \t]+|[ \t]+$/g, "").replace(/\p{Cs}/gu, "")
)

/** Where host names are made, so that another parser may be asked. */
interface Options {
  readonly hosts: "names" | "any"
}

const uriWith = ({ hosts }: Options) =>
  FastCheck.record({
    _tag: FastCheck.constant("SipUri" as const),
    scheme: FastCheck.constantFrom("sip" as const, "sips" as const),
    user: FastCheck.option(FastCheck.stringMatching(/^(?:[\w.!~*'()+$-]|%[0-9A-F]{2}){1,20}$/)),
    password: FastCheck.constant(null),
    host: hosts === "names" ? hostName : host,
    port,
    params: FastCheck.uniqueArray(
      FastCheck.tuple(
        FastCheck.stringMatching(/^[a-z][a-z0-9-]{0,10}$/),
        FastCheck.option(FastCheck.stringMatching(/^[\w.+-]{1,10}$/))
      ),
      { maxLength: 3, selector: ([name]) => name }
    ),
    headers: FastCheck.constant([])
  })

const addressWith = (options: Options) =>
  FastCheck.record({
    displayName: text,
    uri: uriWith(options).map(writeUri),
    params: FastCheck.uniqueArray(FastCheck.tuple(token.map((name) => name.toLowerCase()), FastCheck.option(token)), {
      maxLength: 3,
      selector: ([name]) => name
    })
  })

const viaWith = ({ hosts }: Options) =>
  FastCheck.record({
    transport: FastCheck.constantFrom("UDP", "TCP", "TLS"),
    sentBy: FastCheck.record({ host: hosts === "names" ? hostName : host, port }),
    params: FastCheck.tuple(
      token.map((branch) => ["branch", `z9hG4bK${branch}`] as const),
      FastCheck.constant(["rport", null] as const)
    )
  })

const method = FastCheck.constantFrom("INVITE", "BYE", "OPTIONS", "REGISTER", "INFO")

/** URIs, addresses and values of Via. */
export const uris = uriWith({ hosts: "any" })
export const namedUris = uriWith({ hosts: "names" })
export const addresses = addressWith({ hosts: "any" })
export const vias = viaWith({ hosts: "any" })

/** Valid messages, requests and responses. */
export const messages = (options: Options): FastCheck.Arbitrary<SipMessage> =>
  FastCheck.record({
    isRequest: FastCheck.boolean(),
    method,
    uri: uriWith(options).map(writeUri),
    status: FastCheck.integer({ min: 100, max: 699 }),
    reason: text,
    vias: FastCheck.array(viaWith(options).map(writeVia), { minLength: 1, maxLength: 3 }),
    from: addressWith(options).map(writeNameAddr),
    to: addressWith(options).map(writeNameAddr),
    contacts: FastCheck.array(addressWith(options).map(writeNameAddr), { maxLength: 2 }),
    callId: token,
    number: FastCheck.integer({ min: 0, max: 2 ** 31 - 1 }),
    subject: text,
    body: FastCheck.uint8Array({ maxLength: 200 })
  }).map((parts): SipMessage => {
    const headers = [
      ...parts.vias.map((value) => ["via", value] as const),
      ["from", parts.from] as const,
      ["to", parts.to] as const,
      ["call-id", parts.callId] as const,
      ["cseq", writeCSeq({ number: parts.number, method: parts.method })] as const,
      ...parts.contacts.map((value) => ["contact", value] as const),
      ["subject", parts.subject] as const
    ]
    return parts.isRequest
      ? { _tag: "Request", method: parts.method, uri: parts.uri, headers, body: parts.body }
      : { _tag: "Response", status: parts.status, reason: parts.reason, headers, body: parts.body }
  })

/** Pieces that parsers stumble over. */
const splinters = [
  "\r\n",
  "\r\n ",
  "\r\n\r\n",
  "\n",
  ":",
  ";",
  ",",
  "\"",
  "\\",
  "<",
  ">",
  "[::1]",
  "=",
  "%",
  "@",
  "\0",
  "Content-Length: 9\r\n",
  "v: ",
  "\ud83d\ude00",
  "a=rtpmap:0 ",
  "m=audio 1 RTP/AVP 0\r\n",
  "c=IN IP6 ::\r\n",
  "9".repeat(30),
  " ".repeat(50)
]

const encoder = new TextEncoder()

/** Bytes with a few random changes: pieces cut out, doubled or overwritten, and splinters put in. */
export const mutated = (originals: ReadonlyArray<Uint8Array>): FastCheck.Arbitrary<Uint8Array> =>
  FastCheck.tuple(
    FastCheck.constantFrom(...originals),
    FastCheck.array(
      FastCheck.record({
        kind: FastCheck.constantFrom("cut", "double", "overwrite", "insert"),
        at: FastCheck.noBias(FastCheck.integer({ min: 0, max: 9_999 })),
        length: FastCheck.integer({ min: 1, max: 40 }),
        splinter: FastCheck.constantFrom(...splinters)
      }),
      { minLength: 1, maxLength: 3 }
    )
  ).map(([original, changes]) => {
    let bytes = Array.from(original)
    for (const { at, kind, length, splinter } of changes) {
      const from = Math.floor(at / 10_000 * bytes.length)
      const put = kind === "cut"
        ? []
        : kind === "double"
        ? bytes.slice(from, from + length)
        : [...encoder.encode(splinter)]
      const removed = kind === "cut" ? length : kind === "overwrite" ? put.length : 0
      bytes = [...bytes.slice(0, from), ...put, ...bytes.slice(from + removed)]
    }
    return Uint8Array.from(bytes)
  })
