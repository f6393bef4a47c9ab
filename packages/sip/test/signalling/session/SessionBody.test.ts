import { describe, expect, it } from "vitest"
import { sessionIn } from "../../../src/index.js"

const sdpOf = (type: string | null, body: string): string | null => {
  const session = sessionIn({
    _tag: "Request",
    method: "INVITE",
    uri: "sip:a@example.com",
    headers: type === null ? [] : [["content-type", type]],
    body: new TextEncoder().encode(body)
  })
  return session && new TextDecoder().decode(session)
}

describe("the session description of a message", () => {
  it("is its body", () => {
    expect(sdpOf("Application/SDP; charset=utf-8", "v=0\r\n")).toBe("v=0\r\n")
  })

  it("may be a part of the body, beside what gateways add", () => {
    const parts = [
      "preamble",
      "--a b",
      "Content-Type: application/isup;version=itu-t92+",
      "",
      "\u0001\u0011",
      "--a b",
      "Content-Disposition: session",
      "content-TYPE : application/sdp",
      "",
      "v=0",
      "s=-",
      "--a b--",
      ""
    ]
    expect(sdpOf("multipart/mixed;boundary=\"a b\"", parts.join("\r\n"))).toBe("v=0\r\ns=-")
  })

  it("is absent without a body, with another type, and in a damaged multipart body", () => {
    expect(sdpOf("application/sdp", "")).toBeNull()
    expect(sdpOf(null, "v=0\r\n")).toBeNull()
    expect(sdpOf("application/dtmf-relay", "Signal=5")).toBeNull()
    expect(sdpOf("multipart/mixed", "--a\r\n\r\n--a--")).toBeNull()
    expect(sdpOf("multipart/mixed;boundary=a", "--a\r\nContent-Type: application/sdp\r\n\r\nv=0")).toBeNull()
    expect(sdpOf("multipart/mixed;boundary=a", "--a--a--a\r\n\r\n")).toBeNull()
  })
})
