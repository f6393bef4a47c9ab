import { Either } from "effect"
import { describe, expect, it } from "vitest"
import {
  header,
  headers,
  makeMessageFramer,
  type MalformedMessage,
  parseMessage,
  parseNameAddr,
  parseUri,
  parseVia,
  sameUri,
  sessionIn,
  type SipMessage,
  unsupportedExtensions,
  writeMessage
} from "../../../src/index.js"
import { rfc4475 } from "./Rfc4475.js"

type Name = keyof typeof rfc4475

const bytesOf = (name: Name): Uint8Array => Uint8Array.from(rfc4475[name], (character) => character.charCodeAt(0))
const parsed = (name: Name): SipMessage => Either.getOrThrow(parseMessage(bytesOf(name)))
const fault = (name: Name): MalformedMessage => Either.getOrThrow(Either.flip(parseMessage(bytesOf(name))))

const address = (message: SipMessage, name: string) => Either.getOrThrow(parseNameAddr(header(message, name) ?? ""))
const contacts = (message: SipMessage) =>
  headers(message, "contact").map((value) =>
    Either.getOrThrow(Either.flatMap(parseNameAddr(value), ({ uri }) => parseUri(uri)))
  )

/** Messages that are valid, or whose faults a server may overlook or finds only when it needs what is damaged. */
const accepted: ReadonlyArray<Name> = [
  ...["wsinv", "intmeth", "esc01", "escnull", "esc02", "lwsdisp", "longreq", "dblreq", "semiuri"] as const,
  ...["transports", "mpart01", "unreason", "noreason", "escruri", "baddate", "regbadct", "badaspec"] as const,
  ...["badbranch", "unkscm", "novelsc", "unksm2", "bext01", "invut", "regaut01", "bcast", "zeromf"] as const,
  ...["cparam01", "cparam02", "regescrt", "sdp01", "inv2543"] as const
]

/** Requests that are responded to with 400. */
const refused: ReadonlyArray<Name> = [
  ...["badinv01", "clerr", "ncl", "scalar02", "quotbal", "ltgtruri", "lwsruri", "lwsstart", "trws"] as const,
  ...["baddn", "mismatch01", "mismatch02", "insuf", "multi01", "mcl01"] as const
]

/** Responses that are dropped. */
const dropped: ReadonlyArray<Name> = ["scalarlg", "bigcode"]

describe("the messages of RFC 4475", () => {
  for (const name of accepted) {
    it(`${name} is accepted, and stays the same when it is written and parsed again`, () => {
      const message = parsed(name)
      expect(Either.getOrThrow(parseMessage(writeMessage(message)))).toEqual({
        ...message,
        headers: message.headers.filter(([header]) => header !== "content-length").concat([
          ["content-length", String(message.body.length)]
        ])
      })
    })
  }

  for (const name of refused) {
    it(`${name} is refused with 400, which can be sent`, () => {
      const error = fault(name)
      expect([error.status, error.request?._tag]).toEqual([400, "Request"])
    })
  }

  for (const name of dropped) {
    it(`${name} is dropped`, () => expect(fault(name).request).toBeNull())
  }

  it("are all there", () => {
    expect([...accepted, ...refused, ...dropped, "badvers"].toSorted()).toEqual(Object.keys(rfc4475).toSorted())
    expect(fault("badvers")).toMatchObject({ status: 505, request: { method: "OPTIONS" } })
  })

  it("have white space and folds everywhere (3.1.1.1)", () => {
    const message = parsed("wsinv")
    expect(address(message, "to").params).toEqual([["tag", "1918181833n"]])
    expect(address(message, "from").displayName).toBe("J Rosenberg \\\"")
    expect(headers(message, "via").map((value) => Either.getOrThrow(parseVia(value)).sentBy.host)).toEqual([
      "192.0.2.2",
      "spindle.example.com",
      "192.168.255.111"
    ])
    expect(header(message, "unknownheaderwithunusualvalue")).toBe(";;,,;;,;")
    expect(header(message, "subject")).toBe("")
    expect(address(message, "contact").params).toEqual([["newparam", "newvalue"], ["secondparam", null], ["q", "0.33"]])
  })

  it("have unusual but valid characters (3.1.1.2)", () => {
    const message = parsed("intmeth")
    expect(message).toMatchObject({ method: "!interesting-Method0123456789_*+`.%indeed'~" })
    expect(address(message, "to").displayName).toBe("BEL:\u0007 NUL:\u0000 DEL:\u007f")
    expect(header(message, "extensionheader-!.%*+_`'~")).toBe("\ufeff大停電")
  })

  it("have escapes that do not make URIs equal, and zero bytes (3.1.1.3 to 3.1.1.5)", () => {
    expect(contacts(parsed("esc01"))).toMatchObject([{
      user: "cal%6Cer",
      params: [["%6c%72", null], ["n%61me", "v%61lue%25%34%31"]]
    }])
    const [one, two] = contacts(parsed("escnull"))
    expect(one && two && sameUri(one, two)).toBe(false)
    expect(headers(parsed("esc02"), "c%6fntact")).toEqual(["<sip:alias2@host2.example.com>"])
  })

  it("have names without spaces, long values, semicolons in users, and any transport (3.1.1.6 to 3.1.1.10)", () => {
    expect(address(parsed("lwsdisp"), "from").displayName).toBe("caller")
    expect(headers(parsed("longreq"), "via")).toHaveLength(34)
    const semi = parsed("semiuri")
    expect(semi._tag === "Request" && parseUri(semi.uri)).toMatchObject({
      right: { user: "user;par=u%40example.net", host: "example.com" }
    })
    expect(headers(parsed("transports"), "via").map((value) => Either.getOrThrow(parseVia(value)).transport)).toEqual([
      "UDP",
      "SCTP",
      "TLS",
      "UNKNOWN",
      "TCP"
    ])
  })

  it("may be followed by more in a datagram, which is ignored, and in a stream, which is the next message (3.1.1.7)", () => {
    expect(parsed("dblreq")).toMatchObject({ method: "REGISTER", body: new Uint8Array(0) })
    const frames = makeMessageFramer().push(bytesOf("dblreq"))
    expect(
      frames.flatMap((one) => one._tag === "Message" && one.message._tag === "Request" ? [one.message.method] : [])
    )
      .toEqual([
        "REGISTER",
        "INVITE"
      ])
  })

  it("have reasons of any text, or none (3.1.1.12 and 3.1.1.13)", () => {
    expect(parsed("noreason")).toMatchObject({ status: 100, reason: "" })
    expect(parsed("unreason")).toMatchObject({
      status: 200,
      reason: "= 2**3 * 5**2 но сто девяносто девять - простое"
    })
  })

  it("may have faults that only matter to who needs what is damaged (3.1.2 and 3.3)", () => {
    expect(parseNameAddr(header(parsed("regbadct"), "contact") ?? "")._tag).toBe("Left")
    expect(address(parsed("badaspec"), "to").uri).toBe("sip:t.watson@example.org")
    expect(unsupportedExtensions(parsed("bext01"), [])).toEqual(["nothingsupportsthis", "nothingsupportsthiseither"])
    expect(sessionIn(parsed("invut"))).toBeNull()
    const unknown = parsed("unkscm")
    expect(unknown._tag === "Request" && parseUri(unknown.uri)).toMatchObject({
      right: { scheme: "nobodyknowsthisscheme" }
    })
  })
})
