import { Either } from "effect"
import { describe, expect, it } from "vitest"
import {
  header,
  headers,
  type MalformedMessage,
  parseMessage,
  type SipMessage,
  writeMessage
} from "../../../src/index.js"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

const required = [
  "Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK1",
  "From: <sip:a@example.com>;tag=1",
  "To: <sip:b@example.com>",
  "Call-ID: 1@example.com",
  "CSeq: 1 INVITE"
]

const request = (
  lines: ReadonlyArray<string> = [],
  body = "",
  start = "INVITE sip:b@example.com SIP/2.0"
): Uint8Array => bytesOf([start, ...required, ...lines, "", body].join("\r\n"))

const parsed = (bytes: Uint8Array): SipMessage => Either.getOrThrow(parseMessage(bytes))
const fault = (bytes: Uint8Array): MalformedMessage => Either.getOrThrow(Either.flip(parseMessage(bytes)))

describe("a message in a datagram", () => {
  it("is read with its start line, header fields and body", () => {
    const message = parsed(request(["Content-Length: 4"], "body"))
    expect(message).toMatchObject({ _tag: "Request", method: "INVITE", uri: "sip:b@example.com" })
    expect(header(message, "call-id")).toBe("1@example.com")
    expect(textOf(message.body)).toBe("body")
  })

  it("may have compact forms, other cases, folded lines, and white space around colons", () => {
    const message = parsed(
      request(["sUPPORTED \t: timer", "k: replaces,\r\n\t 100rel", "Subject:\r\n  two\r\n  lines"])
    )
    expect(headers(message, "supported")).toEqual(["timer", "replaces", "100rel"])
    expect(header(message, "subject")).toBe("two lines")
  })

  it("has an entry for each value of a list, but never cuts quotes, brackets, dates or credentials", () => {
    const message = parsed(request([
      "Contact: \"Doe, \\\"J\" <sip:x@example.com;a=1,2>;q=1, <sip:y@example.com>,, ",
      "Date: Sat, 13 Nov 2010 23:29:00 GMT",
      "Authorization: Digest username=\"a\", realm=\"b\"",
      "X-Own: a, b"
    ]))
    expect(headers(message, "contact")).toEqual([
      "\"Doe, \\\"J\" <sip:x@example.com;a=1,2>;q=1",
      "<sip:y@example.com>"
    ])
    expect(headers(message, "date")).toEqual(["Sat, 13 Nov 2010 23:29:00 GMT"])
    expect(headers(message, "authorization")).toEqual(["Digest username=\"a\", realm=\"b\""])
    expect(headers(message, "x-own")).toEqual(["a, b"])
  })

  it("keeps an empty list, which says that there is nothing", () => {
    expect(headers(parsed(request(["Supported:"])), "supported")).toEqual([""])
  })

  it("ends where its Content-Length says, and otherwise with the datagram", () => {
    expect(textOf(parsed(request(["l: 2"], "body")).body)).toBe("bo")
    expect(textOf(parsed(request([], "body")).body)).toBe("body")
    expect(fault(request(["l: 5"], "body")).message).toBe("The body is shorter than its Content-Length")
    expect(fault(request(["l: -5"], "body")).message).toBe("The Content-Length is not a size")
    expect(fault(request(["l: 2", "Content-Length: 4"], "body")).message).toMatch(/more than one content-length/)
  })

  it("has a body that does not change when the buffer is used again", () => {
    const datagram = Buffer.from(request([], "body"))
    const message = parsed(datagram)
    datagram.fill(0)
    expect(textOf(message.body)).toBe("body")
  })

  it("may follow line ends", () => {
    expect(parsed(bytesOf(`\r\n\r\n${textOf(request())}`))._tag).toBe("Request")
  })

  it("is a response when it begins with a status", () => {
    const start = "SIP/2.0 183 Session Progress"
    expect(parsed(request([], "", start))).toMatchObject({ _tag: "Response", status: 183, reason: "Session Progress" })
    expect(parsed(request([], "", "SIP/2.0 200"))).toMatchObject({ status: 200, reason: "" })
  })

  it("is written as it was read", () => {
    const message = parsed(request(["X-own-thing: 1", "Content-Length: 4"], "body"))
    expect(parsed(writeMessage(message))).toEqual(message)
    expect(textOf(writeMessage(message))).toContain("\r\nX-Own-Thing: 1\r\nContent-Length: 4\r\n\r\nbody")
  })

  it("cannot gain a header field by a line end in a value", () => {
    const message = parsed(request())
    const written = writeMessage({ ...message, headers: [...message.headers, ["subject", "a\r\nEvil: b"]] })
    expect(headers(parsed(written), "evil")).toEqual([])
  })
})

describe("a malformed message", () => {
  const responded: ReadonlyArray<readonly [string, Uint8Array, string]> = [
    ["has no empty line", bytesOf(textOf(request()).trimEnd()), "No empty line ends the header fields"],
    ["has a line without a colon", request(["nonsense"]), "A header field is malformed"],
    ["has a bare line feed", request(["Subject: a\nb: c"]), "A line does not end with CRLF"],
    ["has a Call-ID twice", request(["i: 2"]), "The message has more than one call-id header field"],
    [
      "has a line of more than 8,192 characters",
      request([`Subject: ${"a".repeat(8_193)}`]),
      "A header field is too long"
    ],
    ["has more than 100 values", request([`k: ${"a,".repeat(96)}`]), "The message has too many headers"],
    [
      "has another method in CSeq",
      request([], "", "BYE sip:b@example.com SIP/2.0"),
      "The method of CSeq is not that of the request"
    ],
    ["has a blank in its URI", request([], "", "INVITE sip:b@example.com; lr SIP/2.0"), "The Request-URI is malformed"]
  ]
  for (const [what, bytes, message] of responded) {
    it(`can be responded to with 400 when it ${what}`, () => {
      const error = fault(bytes)
      expect(error).toMatchObject({ status: 400, message })
      expect(error.request && header(error.request, "via")).toBe("SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK1")
    })
  }

  it("is responded to with 505 when it has another version", () => {
    expect(fault(request([], "", "INVITE sip:b@example.com SIP/7.0"))).toMatchObject({ status: 505 })
  })

  it("is responded to with 413 when it exceeds 64 KB", () => {
    const error = fault(request([], "a".repeat(65_536)))
    expect(error).toMatchObject({ status: 413, request: { method: "INVITE" } })
  })

  it("is not responded to when it is a response, an ACK, or has no readable Via", () => {
    expect(fault(request(["nonsense"], "", "SIP/2.0 200 OK")).request).toBeNull()
    expect(fault(request([], "", "ACK sip:b@example.com SIP/2.0")).request).toBeNull()
    expect(fault(bytesOf("OPTIONS sip:b@example.com SIP/2.0\r\nVia: ?\r\n\r\n")).request).toBeNull()
    expect(fault(bytesOf("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n")).request).toBeNull()
  })
})
