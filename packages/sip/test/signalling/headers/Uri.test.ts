import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { dialledNumber, parseUri, phoneNumberOf, sameUri, unescapeUri, type Uri, writeUri } from "../../../src/index.js"

const uri = (text: string): Uri => Either.getOrThrow(parseUri(text))

describe("a URI", () => {
  it("is read with user, host, port, parameters and header fields", () => {
    expect(uri("SIP:alice;day=tuesday:secret@Example.COM:5070;Transport=tcp;lr?subject=a%20b&priority=urgent")).toEqual(
      {
        _tag: "SipUri",
        scheme: "sip",
        user: "alice;day=tuesday",
        password: "secret",
        host: "example.com",
        port: 5070,
        params: [["transport", "tcp"], ["lr", null]],
        headers: [["subject", "a%20b"], ["priority", "urgent"]]
      }
    )
  })

  it("may have an IPv6 address, which is kept without its brackets", () => {
    expect(uri("sip:[2001:DB8::10]:5070;lr")).toMatchObject({ user: null, host: "2001:db8::10", port: 5070 })
    expect(uri("sips:bob@[::1]")).toMatchObject({ scheme: "sips", host: "::1", port: null })
  })

  it("is written as it was read", () => {
    for (
      const text of [
        "sip:+14155551212;npdi=yes;phone-context=%2B1@[2001:db8::10]:5070;user=phone?x=y",
        "sips:alice:@example.com",
        "tel:+1-201-555-0123;ext=5;rn=+1-201",
        "urn:service:sos"
      ]
    ) expect(writeUri(uri(text))).toBe(text)
  })

  it("may be a telephone number, or of a scheme that is not read", () => {
    expect(uri("tel:7042;phone-context=example.com")).toEqual({
      _tag: "TelUri",
      number: "7042",
      params: [["phone-context", "example.com"]]
    })
    expect(uri("soap.beep://192.0.2.103:3002")).toEqual({
      _tag: "OtherUri",
      scheme: "soap.beep",
      rest: "//192.0.2.103:3002"
    })
  })

  it("is refused when it is malformed", () => {
    const damaged = [
      "",
      "example.com",
      "sip:",
      "sip:@example.com",
      "sip:a b@example.com",
      "sip:a@",
      "sip:2001:db8::10",
      "sip:a@[2001:db8::10",
      "sip:a@[example.com]",
      "sip:a@example.com:70000",
      "sip:a@example.com;lr?x",
      "sip:%zz@example.com",
      "sip:a@b@example.com",
      "<sip:a@example.com>",
      "tel:",
      "tel:+",
      "tel:12@example.com"
    ]
    expect(damaged.filter((text) => Either.isRight(parseUri(text)))).toEqual([])
  })

  it("decodes what a user has escaped, unless it is no text", () => {
    expect(unescapeUri("a%20b%40c;d%23%C3%A9")).toBe("a b@c;d#é")
    expect(unescapeUri("%ff")).toBe("%ff")
  })
})

describe("two URIs", () => {
  it("are the same where case, escapes, and parameters of one of them do not matter", () => {
    expect(sameUri(uri("sip:%61lice@atlanta.com;transport=TCP"), uri("SIP:alice@AtLanTa.CoM;Transport=tcp"))).toBe(true)
    expect(sameUri(uri("sip:carol@chicago.com;newparam=5"), uri("sip:carol@chicago.com;security=on"))).toBe(true)
    expect(sameUri(uri("sip:a@b.com?x=1&y=2"), uri("sip:a@b.com?y=2&X=1"))).toBe(true)
    expect(sameUri(uri("tel:+1201"), uri("tel:+1201"))).toBe(true)
  })

  it("differ in the case of users, in ports, in transports and in header fields", () => {
    expect(sameUri(uri("sip:ALICE@atlanta.com"), uri("sip:alice@atlanta.com"))).toBe(false)
    expect(sameUri(uri("sip:bob@biloxi.com"), uri("sip:bob@biloxi.com:5060"))).toBe(false)
    expect(sameUri(uri("sip:bob@biloxi.com"), uri("sip:bob@biloxi.com;transport=udp"))).toBe(false)
    expect(sameUri(uri("sip:carol@chicago.com"), uri("sip:carol@chicago.com?Subject=next"))).toBe(false)
    expect(sameUri(uri("sip:carol@chicago.com;a=1"), uri("sip:carol@chicago.com;a=2"))).toBe(false)
    expect(sameUri(uri("sip:bob@biloxi.com"), uri("sips:bob@biloxi.com"))).toBe(false)
    expect(sameUri(uri("sip:bob@biloxi.com"), uri("tel:+1201"))).toBe(false)
  })
})

describe("the telephone number of a URI", () => {
  it("is global with a plus sign or a global context, and otherwise what would be dialled", () => {
    expect(dialledNumber(uri("sip:+1-415-555-1212;npdi@example.com"))).toBe("+14155551212")
    expect(dialledNumber(uri("sip:(022)%202345.6789@example.com"))).toBe("02223456789")
    expect(dialledNumber(uri("tel:863-1234;phone-context=+1-914-555"))).toBe("+19145558631234")
    expect(dialledNumber(uri("sip:9876543210;phone-context=+91@example.com;user=phone"))).toBe("+919876543210")
    expect(dialledNumber(uri("tel:*31#;phone-context=example.com"))).toBe("*31#")
    expect(dialledNumber(uri("sip:alice@example.com"))).toBeNull()
    expect(dialledNumber(uri("sip:example.com"))).toBeNull()
    expect(dialledNumber(uri("urn:service:sos"))).toBeNull()
  })

  it("is read in E.164 by the numbering plan of its country", () => {
    const numbers = ["sip:+919876543210@x.com", "sip:919876543210@x.com", "sip:09876543210@x.com", "tel:98765-43210"]
    for (const text of numbers) expect(phoneNumberOf(uri(text))).toEqual(Either.right("+919876543210"))
    expect(phoneNumberOf(uri("sip:2015550123@x.com"), "US")).toEqual(Either.right("+12015550123"))
    expect(phoneNumberOf(uri("sip:anonymous@anonymous.invalid"))).toEqual(Either.left("missing"))
    expect(phoneNumberOf(uri("sip:100@x.com"))).toEqual(Either.left("invalid"))
  })
})
