import { Either } from "effect"
import { describe, expect, it } from "vitest"
import {
  branchOf,
  param,
  parseCSeq,
  parseNameAddr,
  parseVia,
  tagOf,
  withParam,
  writeCSeq,
  writeNameAddr,
  writeVia
} from "../../../src/index.js"

const address = (text: string) => Either.getOrThrow(parseNameAddr(text))
const via = (text: string) => Either.getOrThrow(parseVia(text))

describe("an address", () => {
  it("may have a quoted name, a bare name, or none", () => {
    expect(address("\"A. \\\"G\\\" Bell\" <sip:bell@example.com>;tag=a48s")).toEqual({
      displayName: "A. \"G\" Bell",
      uri: "sip:bell@example.com",
      params: [["tag", "a48s"]]
    })
    expect(address("Anonymous  Caller <sip:c8oqz84zk7z@privacy.org> ; tag = hyh8")).toMatchObject({
      displayName: "Anonymous  Caller",
      params: [["tag", "hyh8"]]
    })
    expect(address("J\u00fcrgen<sip:j@example.com>").displayName).toBe("J\u00fcrgen")
    expect(address("< sip:j@example.com >").uri).toBe("sip:j@example.com")
  })

  it("without brackets has its parameters in the header field, with brackets also in the URI", () => {
    expect(address("sip:+12125551212@example.com;tag=887s")).toEqual({
      displayName: "",
      uri: "sip:+12125551212@example.com",
      params: [["tag", "887s"]]
    })
    expect(address("<sip:p2.example.com;lr>")).toEqual({ displayName: "", uri: "sip:p2.example.com;lr", params: [] })
  })

  it("may have parameters that are quoted, empty, or without a value", () => {
    const { params } = address("<sip:a@b.com>;q=0.5;+sip.instance=\"<urn:uuid:0; \\\"1>\";ob;;x=")
    expect(params).toEqual([["q", "0.5"], ["+sip.instance", "\"<urn:uuid:0; \\\"1>\""], ["ob", null], ["x", null]])
    expect(param(params, "ob")).toBeNull()
    expect(param(params, "tag")).toBeUndefined()
  })

  it("is written with brackets, and its name in quotes", () => {
    const written = "\"A. \\\"G\\\" Bell\" <sip:bell@example.com;lr>;tag=a48s;ob"
    expect(writeNameAddr(address(written))).toBe(written)
    expect(writeNameAddr({ displayName: "a\r\nb", uri: "sip:a@b.com", params: [] })).toBe("\"a b\" <sip:a@b.com>")
  })

  it("is refused when it is malformed", () => {
    const damaged = [
      "",
      "*",
      "\"Open <sip:a@b.com>",
      "Bell, Alexander <sip:a@b.com>",
      "<sip:a@b.com",
      "<>",
      "<a b>",
      "sip:a@b.com?Route=x",
      "sip:a@b.com,c",
      "<sip:a@b.com> x",
      "<sip:a@b.com>;tag=\"open"
    ]
    expect(damaged.filter((text) => Either.isRight(parseNameAddr(text)))).toEqual([])
  })

  it("has a tag, or none", () => {
    expect(tagOf("<sip:a@b.com;tag=inner>;TAG=Outer")).toBe("Outer")
    expect(tagOf("<sip:a@b.com>")).toBeNull()
    expect(tagOf("?")).toBeNull()
  })

  it("takes one parameter more", () => {
    const { params } = address("<sip:a@b.com>;a=1;b=2")
    expect(withParam(withParam(params, "a", "3"), "c", null)).toEqual([["a", "3"], ["b", "2"], ["c", null]])
  })
})

describe("a Via", () => {
  it("is read with transport, sender and parameters, with white space around everything", () => {
    expect(via("SIP  / 2.0  / tcp     Spindle.example.com : 5061   ;  branch  =   z9hG4bK9ikj8 ;ttl=1")).toEqual({
      transport: "TCP",
      sentBy: { host: "spindle.example.com", port: 5061 },
      params: [["branch", "z9hG4bK9ikj8"], ["ttl", "1"]]
    })
  })

  it("may have IPv6 addresses, and reports where the request came from", () => {
    const one = via("SIP/2.0/UDP [2001:db8::9]:5070;received=[2001:db8::8];rport=1024;branch=z9hG4bK1")
    expect(one.sentBy).toEqual({ host: "2001:db8::9", port: 5070 })
    expect([param(one.params, "received"), param(one.params, "rport"), branchOf(one)]).toEqual(
      ["[2001:db8::8]", "1024", "z9hG4bK1"]
    )
    expect(writeVia(one)).toBe("SIP/2.0/UDP [2001:db8::9]:5070;received=[2001:db8::8];rport=1024;branch=z9hG4bK1")
    const other = via("SIP/2.0/UDP a.com;received=2001:db8::8;rport")
    expect([param(other.params, "received"), param(other.params, "rport"), branchOf(other)]).toEqual(
      ["2001:db8::8", null, null]
    )
  })

  it("is refused when it is malformed", () => {
    const damaged = [
      "",
      "SIP/2.0/UDP",
      "HTTP/1.1/TCP a.com",
      "SIP/2.0/UDP 2001:db8::9",
      "SIP/2.0/UDP a.com:99999",
      "UDP a"
    ]
    expect(damaged.filter((text) => Either.isRight(parseVia(text)))).toEqual([])
  })
})

describe("a CSeq", () => {
  it("is a number below 2^31 and a method", () => {
    expect(parseCSeq("0009   INVITE")).toEqual(Either.right({ number: 9, method: "INVITE" }))
    expect(parseCSeq("2147483647 BYE")).toEqual(Either.right({ number: 2_147_483_647, method: "BYE" }))
    expect(writeCSeq({ number: 2, method: "ACK" })).toBe("2 ACK")
    expect(
      ["2147483648 BYE", "36893488147419103232 BYE", "-1 BYE", "1", "BYE", "1 BYE 2", ""].filter((text) =>
        Either.isRight(parseCSeq(text))
      )
    ).toEqual([])
  })
})
