import { Either, FastCheck } from "effect"
import { describe, expect, it } from "vitest"
import {
  answerOffer,
  dialledNumber,
  type Framed,
  header,
  headers,
  makeMessageFramer,
  makeOffer,
  networkCause,
  parseMediaType,
  parseMessage,
  parseNameAddr,
  parseReason,
  parseReferTo,
  parseRetryAfter,
  parseSessionExpires,
  parseSipFragment,
  parseUri,
  parseVia,
  phoneNumberOf,
  readAnswer,
  sessionIn,
  type SipMessage,
  writeMessage,
  writeNameAddr,
  writeUri,
  writeVia
} from "../../../src/index.js"
import { parseAuthParams } from "../../../src/signalling/digest/AuthParams.js"
import { rfc4475 } from "../torture/Rfc4475.js"
import { addresses, messages, mutated, uris, vias } from "./Messages.js"

const texts: ReadonlyArray<string> = Object.values(rfc4475)
const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))
const originals = texts.map(bytesOf)
/** The same without their Content-Length, which a change would make wrong, so that most can still be parsed. */
const datagrams = texts.map((text) => bytesOf(text.replace(/\r\n(?:Content-Length|l)\s*:[^\r]*/i, "")))
const utf8 = new TextEncoder()

/** A message without its Content-Length, which is written anew. */
const normalForm = (message: SipMessage): SipMessage => ({
  ...message,
  headers: message.headers.filter(([name]) => name !== "content-length")
})

/** Reads everything in a message that a parser exists for. */
const readAll = (message: SipMessage): void => {
  for (const [, value] of message.headers) {
    parseNameAddr(value)
    parseVia(value)
    parseReason(value)
    parseRetryAfter(value)
    parseReferTo(value)
    parseSessionExpires(value)
    parseMediaType(value)
    parseAuthParams(value)
    Either.map(parseUri(value), (uri) => [dialledNumber(uri), phoneNumberOf(uri)])
  }
  networkCause(message)
  parseSipFragment(message.body)
  const session = sessionIn(message) ?? message.body
  answerOffer(session, { sessionId: 1, address: "192.0.2.1", port: 20_000 }, null)
  readAnswer(session, makeOffer({ sessionId: 1, address: "192.0.2.1", port: 20_000 }, null))
}

/** All that is found in a stream, without pongs, whose number depends on how line ends are split. */
const frames = (parts: ReadonlyArray<Uint8Array>): ReadonlyArray<Framed> => {
  const framer = makeMessageFramer()
  return parts.flatMap((part) => framer.push(part)).filter(({ _tag }) => _tag !== "Pong")
}

describe("valid messages", () => {
  it("are the same when they are written and parsed", () => {
    FastCheck.assert(FastCheck.property(messages({ hosts: "any" }), (message) => {
      expect(normalForm(Either.getOrThrow(parseMessage(writeMessage(message))))).toEqual(message)
    }))
  })

  it("have addresses, URIs and hops that are the same when they are written and parsed", () => {
    FastCheck.assert(FastCheck.property(addresses, uris, vias, (address, uri, via) => {
      expect(parseNameAddr(writeNameAddr(address))).toEqual(Either.right(address))
      expect(parseUri(writeUri(uri))).toEqual(Either.right(uri))
      expect(parseVia(writeVia(via))).toEqual(Either.right(via))
    }))
  })
})

describe("damaged messages", () => {
  it("are refused or parsed without an exception, and what is parsed stays the same when it is written", () => {
    FastCheck.assert(
      FastCheck.property(mutated(datagrams), (bytes) => {
        const first = parseMessage(bytes)
        if (Either.isLeft(first)) return
        readAll(first.right)
        expect(normalForm(Either.getOrThrow(parseMessage(writeMessage(first.right))))).toEqual(normalForm(first.right))
      }),
      { numRuns: 2_000, seed: 4475 }
    )
  })

  it("are found at the same places in a stream, however its bytes arrive", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(mutated(originals), { minLength: 1, maxLength: 4 }),
        FastCheck.integer({ min: 1, max: 700 }),
        (messages, size) => {
          const stream = Uint8Array.from(messages.flatMap((bytes) => [...bytes]))
          const parts = Array.from(
            { length: Math.ceil(stream.length / size) },
            (_, at) => stream.slice(at * size, (at + 1) * size)
          )
          expect(frames(parts)).toEqual(frames([stream]))
        }
      ),
      { numRuns: 300, seed: 4475 }
    )
  })
})

describe("damaged session descriptions", () => {
  const offers = [
    "v=0\r\no=- 1 1 IN IP4 192.0.2.9\r\ns=-\r\nc=IN IP4 192.0.2.9\r\nt=0 0\r\nm=audio 3456 RTP/AVP 0 8 101\r\n" +
    "a=rtpmap:101 telephone-event/8000\r\na=fmtp:101 0-15\r\na=ptime:20\r\na=maxptime:60\r\na=rtcp:3457\r\na=sendrecv\r\n",
    "v=0\r\no=- 1 1 IN IP6 ::1\r\ns=-\r\nt=0 0\r\na=sendonly\r\nm=video 1 RTP/AVP 96\r\nc=IN IP6 ::1\r\nm=audio 2 RTP/AVP 97\r\n" +
    "c=IN IP4 1.2.3.4\r\na=rtpmap:97 PCMA/8000/1\r\n"
  ]

  it("are refused or agreed on without an exception, and the answer is one that the peer can read", () => {
    const local = { sessionId: 1, address: "192.0.2.1", port: 20_000 }
    FastCheck.assert(
      FastCheck.property(mutated(offers.map((text) => utf8.encode(text))), (bytes) => {
        const answered = answerOffer(bytes, local, null)
        readAnswer(bytes, makeOffer(local, null))
        if (Either.isLeft(answered)) return
        const { answer, negotiated } = answered.right
        expect([10, 20, 30, 40, 50, 60]).toContain(negotiated.packetMillis)
        const read = readAnswer(utf8.encode(answer.text), { ...answer, keys: negotiated.keys?.sent ?? null })
        expect(Either.map(read, ({ codec, remote }) => [codec, remote])).toEqual(
          Either.right([negotiated.codec, { address: "192.0.2.1", port: 20_000 }])
        )
      }),
      { numRuns: 2_000, seed: 8866 }
    )
  })
})

describe("messages that are made to take long", () => {
  const fillings = [
    " ",
    "\t",
    ";",
    ",",
    "\"",
    "\\",
    "<",
    ">",
    "a ",
    "a;",
    "a=\"",
    "\\\"",
    "(",
    ":",
    "[:",
    "%2",
    "\r\n ",
    "=,",
    "a\"b",
    "SIP/2.0/"
  ]
  const head =
    "INVITE sip:b@example.com SIP/2.0\r\nv: SIP/2.0/UDP a.com\r\nf: sip:a@b\r\nt: sip:a@b\r\ni: 1\r\nCSeq: 1 INVITE\r\n"

  it("are read in time that grows with their length", () => {
    for (const filling of fillings) {
      for (
        const name of [
          "Via: SIP/2.0/UDP a",
          "From: \"",
          "To: ",
          "Contact: <",
          "Authorization: Digest ",
          "Reason: a",
          ""
        ]
      ) {
        const value = filling.repeat(8_000 / filling.length)
        parseMessage(utf8.encode(`${head}${name}${value}\r\n\r\n`))
        readAll({
          _tag: "Response",
          status: 200,
          reason: "",
          headers: [["x", `${name.split(": ")[1] ?? ""}${value}`]],
          body: utf8.encode(value)
        })
      }
    }
    const parsed = parseMessage(utf8.encode(`${head}Contact: ${"<sip:a@b>,".repeat(90)}\r\n\r\n`))
    expect(Either.map(parsed, (message) => [headers(message, "contact").length, header(message, "call-id")])).toEqual(
      Either.right([90, "1"])
    )
  })
})
