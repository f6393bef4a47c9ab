import { describe, expect, it } from "vitest"
import { type Framed, makeMessageFramer } from "../../../src/index.js"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const message = (callId: string, body: string, length: string | null = String(body.length)): string =>
  [
    "INFO sip:b@example.com SIP/2.0",
    "Via: SIP/2.0/TCP 192.0.2.1;branch=z9hG4bK1",
    "From: <sip:a@example.com>;tag=1",
    "To: <sip:b@example.com>;tag=2",
    `Call-ID: ${callId}`,
    "CSeq: 1 INFO",
    ...(length === null ? [] : [`Content-Length: ${length}`]),
    "",
    body
  ].join("\r\n")

/** Kinds of what is found, with the body of messages. */
const kinds = (frames: ReadonlyArray<Framed>): ReadonlyArray<string> =>
  frames.map((one) => one._tag === "Message" ? new TextDecoder().decode(one.message.body) : one._tag)

const pushAll = (parts: ReadonlyArray<Uint8Array>): ReadonlyArray<string> => {
  const framer = makeMessageFramer()
  return parts.flatMap((part) => kinds(framer.push(part)))
}

/** The parts of a text, each of a size. */
const inParts = (text: string, size: number): ReadonlyArray<Uint8Array> => {
  const bytes = bytesOf(text)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}

describe("a stream of messages", () => {
  const stream = `${message("1", "one")}\r\n\r\n${message("2", "two\r\n\r\n")}\r\n${message("3", "")}`

  it("is cut by Content-Length, however its bytes arrive", () => {
    expect(pushAll([bytesOf(stream)])).toEqual(["one", "Ping", "two\r\n\r\n", "Pong", ""])
    for (const size of [5, 64, 300]) {
      expect(pushAll(inParts(stream, size)).filter((kind) => kind !== "Pong")).toEqual([
        "one",
        "Ping",
        "two\r\n\r\n",
        ""
      ])
    }
  })

  it("takes line ends that come apart for a pong and then a ping", () => {
    expect(pushAll(inParts("\r\n\r\n", 2))).toEqual(["Pong", "Ping"])
    expect(pushAll(inParts("\r\n\r\n", 3))).toEqual(["Pong", "Ping"])
    expect(pushAll(inParts("\r\n\r\n", 1))).toEqual(["Pong", "Ping"])
    expect(pushAll([bytesOf("\r\n"), bytesOf(message("1", "one")), bytesOf("\r\n")])).toEqual(["Pong", "one", "Pong"])
  })

  it("goes on behind a malformed message whose end is known", () => {
    const damaged = message("1", "one").replace("CSeq: 1 INFO", "CSeq: x")
    expect(pushAll([bytesOf(damaged + message("2", "two"))])).toEqual(["Malformed", "two"])
  })

  it("breaks at a message without a valid Content-Length, and reads nothing more", () => {
    for (const length of [null, "-1", "x", "99999999999"]) {
      const framer = makeMessageFramer()
      expect(kinds(framer.push(bytesOf(message("1", "one", length))))).toEqual(["Broken"])
      expect(framer.push(bytesOf(message("2", "two")))).toEqual([])
    }
  })

  it("breaks as soon as a message must exceed 64 KB, and says to which request it can respond", () => {
    const [frame] = makeMessageFramer().push(bytesOf(message("1", "", "65000")).subarray(0))
    expect(frame).toBeUndefined()
    const [large] = makeMessageFramer().push(bytesOf(message("1", "", "65536")))
    expect(large).toMatchObject({ _tag: "Broken", error: { status: 413, request: { method: "INFO" } } })
    const framer = makeMessageFramer()
    const endless = bytesOf(`INFO sip:b@example.com SIP/2.0\r\nSubject: ${"a".repeat(60_000)}`)
    expect(framer.push(endless)).toEqual([])
    expect(kinds(framer.push(bytesOf("a".repeat(6_000))))).toEqual(["Broken"])
  })

  it("gives bodies that do not change when the chunk is used again", () => {
    const chunk = Buffer.from(message("1", "one"))
    const [frame] = makeMessageFramer().push(chunk)
    chunk.fill(0)
    expect(frame && kinds([frame])).toEqual(["one"])
  })
})
