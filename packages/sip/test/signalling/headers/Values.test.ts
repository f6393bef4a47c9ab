import { Either } from "effect"
import { describe, expect, it } from "vitest"
import {
  namesIn,
  networkCause,
  parseMediaType,
  parseReason,
  parseReferTo,
  parseRetryAfter,
  parseSeconds,
  parseSessionExpires,
  parseSipFragment,
  reasonsOf,
  type SipMessage,
  unsupportedExtensions,
  writeReason,
  writeReferTo,
  writeSessionExpires,
  writeSipFragment,
  writeUri
} from "../../../src/index.js"

const withHeaders = (...headers: ReadonlyArray<readonly [string, string]>): SipMessage => ({
  _tag: "Response",
  status: 200,
  reason: "OK",
  headers,
  body: new Uint8Array(0)
})

describe("times", () => {
  it("are whole seconds, with parameters that are ignored, and never more than 2^32-1", () => {
    expect(parseSeconds("3600")).toEqual(Either.right(3_600))
    expect(parseSeconds("90;lr")).toEqual(Either.right(90))
    expect(parseSeconds("99999999999999999999")).toEqual(Either.right(4_294_967_295))
    expect(["", "-1", "soon", "1 2"].filter((text) => Either.isRight(parseSeconds(text)))).toEqual([])
  })

  it("of a session say who refreshes it", () => {
    expect(parseSessionExpires("1800;refresher=UAC")).toEqual(Either.right({ seconds: 1_800, refresher: "uac" }))
    expect(parseSessionExpires("1800 ;refresher=both")).toEqual(Either.right({ seconds: 1_800, refresher: null }))
    expect(Either.isLeft(parseSessionExpires("x;refresher=uac"))).toBe(true)
    expect(writeSessionExpires({ seconds: 90, refresher: "uas" })).toBe("90;refresher=uas")
    expect(writeSessionExpires({ seconds: 90, refresher: null })).toBe("90")
  })

  it("after which to retry may have a comment and a duration", () => {
    expect(parseRetryAfter("120 (I'm in a \\(long\\) meeting)")).toEqual(
      Either.right({ seconds: 120, comment: "I'm in a (long) meeting", duration: null })
    )
    expect(parseRetryAfter("18000 (a (b)) ;duration=3600")).toEqual(
      Either.right({ seconds: 18_000, comment: "a (b)", duration: 3_600 })
    )
    expect(Either.isLeft(parseRetryAfter("Mon, 21 Jul 1997 18:48:34 GMT"))).toBe(true)
    expect(Either.isLeft(parseRetryAfter("120 (open"))).toBe(true)
  })
})

describe("a reason", () => {
  it("has a protocol, a cause and a text", () => {
    const reason = { protocol: "Q.850", cause: 16, text: "Normal \"call\" clearing" }
    expect(parseReason("q.850 ;cause=16 ;text=\"Normal \\\"call\\\" clearing\"")).toEqual(Either.right(reason))
    expect(parseReason(writeReason(reason))).toEqual(Either.right(reason))
    expect(parseReason("SIP;text=x")).toEqual(Either.right({ protocol: "SIP", cause: null, text: "x" }))
    expect(Either.isLeft(parseReason(";cause=1"))).toBe(true)
  })

  it("may stand among others, and the network's cause is found", () => {
    const message = withHeaders(["reason", "SIP;cause=200;text=\"Call completed elsewhere\""], ["reason", "?;"], [
      "reason",
      "Q.850;cause=17"
    ])
    expect(reasonsOf(message).map(({ cause }) => cause)).toEqual([200, 17])
    expect(networkCause(message)).toBe(17)
    expect(networkCause(withHeaders(["reason", "Q.850;cause=0"]))).toBeNull()
    expect(networkCause(withHeaders())).toBeNull()
  })
})

describe("lists", () => {
  it("are read over all their header fields, without parameters and empty values", () => {
    const message = withHeaders(["require", "100REL"], ["require", ""], ["require", "timer;x=1"], ["allow", "INVITE"])
    expect(namesIn(message, "require")).toEqual(["100rel", "timer"])
    expect(namesIn(message, "allow")).toEqual(["INVITE"])
    expect(unsupportedExtensions(message, ["timer"])).toEqual(["100rel"])
  })
})

describe("a type of a body", () => {
  it("is compared in lower case and may have parameters", () => {
    expect(parseMediaType("Multipart/Mixed ; boundary=\"a;b\"")).toEqual({
      type: "multipart/mixed",
      params: [["boundary", "\"a;b\""]]
    })
    expect(parseMediaType("sdp")).toBeNull()
  })
})

describe("a transfer", () => {
  it("names whom to call, and the dialog that the call replaces", () => {
    const text = "\"X\" <sip:b@example.com;method=INVITE?Replaces=1%40a%3Bto-tag%3D2%3Bfrom-tag%3D3&Subject=x>"
    expect(Either.map(parseReferTo(text), ({ method, replaces, uri }) => [writeUri(uri), method, replaces])).toEqual(
      Either.right(["sip:b@example.com;method=INVITE", "INVITE", "1@a;to-tag=2;from-tag=3"])
    )
    expect(Either.map(parseReferTo("tel:+14155551212"), ({ replaces, uri }) => [writeReferTo(uri), replaces])).toEqual(
      Either.right(["<tel:+14155551212>", null])
    )
    expect(Either.isLeft(parseReferTo("<http//>"))).toBe(true)
  })

  it("is reported by a status", () => {
    const status = { status: 603, reason: "Decline" }
    expect(parseSipFragment(writeSipFragment(status))).toEqual(Either.right(status))
    expect(parseSipFragment(new TextEncoder().encode("SIP/2.0 100 Trying\r\nTo: x\r\n"))).toEqual(
      Either.right({ status: 100, reason: "Trying" })
    )
    expect(Either.isLeft(parseSipFragment(new Uint8Array(0)))).toBe(true)
  })
})
