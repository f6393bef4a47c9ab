import { Either } from "effect"
import { describe, expect, it } from "vitest"
import {
  type Answered,
  answerOffer,
  type LocalMedia,
  makeOffer,
  type Negotiated,
  readAnswer,
  type SessionDescription,
  type SessionRefused
} from "../../../src/index.js"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const local: LocalMedia = { sessionId: 42, address: "192.0.2.1", port: 20_000 }

/** A peer's description: its lines from the first m= on. */
const sdp = (lines: ReadonlyArray<string>, connection = "IN IP4 198.51.100.7"): Uint8Array =>
  bytesOf(["v=0", "o=- 7 7 IN IP4 198.51.100.7", "s=-", `c=${connection}`, "t=0 0", ...lines, ""].join("\r\n"))

const audio = "m=audio 30000 RTP/AVP 0 8 101"
const keys = ["a=rtpmap:101 telephone-event/8000", "a=fmtp:101 0-16"]

const answered = (offer: Uint8Array, previous: SessionDescription | null = null, localMedia = local): Answered =>
  Either.getOrThrow(answerOffer(offer, localMedia, previous))
const negotiated = (...lines: ReadonlyArray<string>): Negotiated => answered(sdp(lines)).negotiated
const refusal = (offer: Uint8Array): SessionRefused => Either.getOrThrow(Either.flip(answerOffer(offer, local, null)))

describe("an offer", () => {
  it("has one stream of sound with both laws and pressed keys", () => {
    expect(makeOffer(local, null).text).toBe([
      "v=0",
      "o=- 42 1 IN IP4 192.0.2.1",
      "s=-",
      "c=IN IP4 192.0.2.1",
      "t=0 0",
      "m=audio 20000 RTP/AVP 0 8 101",
      "a=rtpmap:0 PCMU/8000",
      "a=rtpmap:8 PCMA/8000",
      "a=rtpmap:101 telephone-event/8000",
      "a=fmtp:101 0-15",
      "a=ptime:20",
      "a=sendrecv",
      ""
    ].join("\r\n"))
  })

  it("may prefer A-law, hold, ask for longer packets, and have an IPv6 address", () => {
    const { text } = makeOffer(
      { ...local, address: "2001:db8::1", codecs: ["PCMA"], direction: "sendonly", packetMillis: 30 },
      null
    )
    for (const line of ["c=IN IP6 2001:db8::1", "m=audio 20000 RTP/AVP 8 101", "a=ptime:30", "a=sendonly"]) {
      expect(text).toContain(`${line}\r\n`)
    }
  })

  it("has a higher version when it says something else, and is the same description when it does not", () => {
    const first = makeOffer(local, null)
    expect(makeOffer(local, first)).toEqual(first)
    expect(makeOffer({ ...local, direction: "inactive" }, first).text).toContain("o=- 42 2 IN")
  })

  it("after an answer keeps refused streams in their place and payload types as they were", () => {
    const offer = sdp(["m=video 40000 RTP/AVP 96", "m=audio 30000 RTP/AVP 8 97", "a=rtpmap:97 telephone-event/8000"])
    const { text } = makeOffer(local, answered(offer).answer)
    expect(text).toContain("m=video 0 RTP/AVP 96\r\nm=audio 20000 RTP/AVP 8 0 97\r\n")
    expect(text).toContain("a=rtpmap:97 telephone-event/8000\r\n")
  })
})

describe("an offer with a wide band", () => {
  const media: LocalMedia = { ...local, codecs: ["G722", "PCMU", "PCMA"] }

  it("names G.722 first, at a clock of 8,000 (RFC 3551, section 4.5.2)", () => {
    expect(makeOffer(media, null).text).toContain("m=audio 20000 RTP/AVP 9 0 8 101\r\na=rtpmap:9 G722/8000\r\n")
  })

  it("is taken by an answer with it, or with a narrow one", () => {
    const codecOf = (answer: string) =>
      Either.getOrThrow(readAnswer(sdp([`m=audio 30000 RTP/AVP ${answer}`]), makeOffer(media, null))).codec
    expect(codecOf("9")).toBe("G722")
    expect(codecOf("9 0")).toBe("G722")
    expect(codecOf("8")).toBe("PCMA")
  })
})

describe("an offer of the peer", () => {
  it("is answered with its first acceptable codec and its own numbers", () => {
    const { answer, negotiated: agreed } = answered(sdp([
      "m=audio 30000 RTP/AVP 9 111 8 0 96",
      "a=rtpmap:111 opus/48000/2",
      "a=rtpmap:96 TELEPHONE-EVENT/8000"
    ]))
    expect(answer.text).toContain("m=audio 20000 RTP/AVP 8 96\r\n")
    expect(agreed).toEqual({
      remote: { address: "198.51.100.7", port: 30_000 },
      remoteRtcp: { address: "198.51.100.7", port: 30_001 },
      codec: "PCMA",
      payloadType: 8,
      received: [{ codec: "PCMA", payloadType: 8 }],
      keys: { sent: 96, received: 96 },
      crypto: null,
      packetMillis: 20,
      direction: "sendrecv"
    })
  })

  it("is answered with a wide band only where both sides have it, at a clock of 8,000", () => {
    const media: LocalMedia = { ...local, codecs: ["G722", "PCMU"] }
    const wide = answered(sdp(["m=audio 30000 RTP/AVP 9 0 101", ...keys]), null, media)
    expect(wide.negotiated).toMatchObject({
      codec: "G722",
      payloadType: 9,
      received: [{ codec: "G722", payloadType: 9 }]
    })
    expect(wide.answer.text).toContain("m=audio 20000 RTP/AVP 9 101\r\na=rtpmap:9 G722/8000\r\n")
    const narrow = (offer: ReadonlyArray<string>, by: LocalMedia) => answered(sdp(offer), null, by).negotiated.codec
    expect(narrow(["m=audio 30000 RTP/AVP 9 0"], local)).toBe("PCMU")
    expect(narrow(["m=audio 30000 RTP/AVP 0 9"], media)).toBe("PCMU")
    expect(narrow(["m=audio 30000 RTP/AVP 96 0", "a=rtpmap:96 G722/16000"], media)).toBe("PCMU")
    expect(narrow(["m=audio 30000 RTP/AVP 96 0", "a=rtpmap:96 g722/8000"], media)).toBe("G722")
  })

  it("may number its codecs by itself, and may have no keys", () => {
    const agreed = negotiated("m=audio 30000 RTP/AVP 98", "a=rtpmap:98 pcmu/8000/1")
    expect(agreed).toMatchObject({ codec: "PCMU", payloadType: 98, keys: null })
    const wideKeys = negotiated(
      "m=audio 30000 RTP/AVP 0 99 100",
      "a=rtpmap:99 telephone-event/48000",
      "a=rtpmap:100 telephone-event/8000"
    )
    expect(wideKeys.keys).toEqual({ sent: 100, received: 100 })
  })

  it("decides the duration of packets between 10 and 60 ms", () => {
    const millis = (...lines: ReadonlyArray<string>) => negotiated(audio, ...lines).packetMillis
    expect(millis()).toBe(20)
    expect(millis("a=ptime:30")).toBe(30)
    expect(millis("a=ptime:60", "a=maxptime:40")).toBe(40)
    expect(millis("a=maxptime:10")).toBe(10)
    expect(millis("a=ptime:25")).toBe(20)
    expect(millis("a=ptime:5")).toBe(10)
    expect(millis("a=ptime:200")).toBe(60)
    expect(millis("a=ptime:x")).toBe(20)
  })

  it("may hold the call in each way", () => {
    const direction = (line: string) => negotiated(audio, line).direction
    expect(direction("a=sendonly")).toBe("recvonly")
    expect(direction("a=recvonly")).toBe("sendonly")
    expect(direction("a=inactive")).toBe("inactive")
    const oldHold = answered(sdp([audio], "IN IP4 0.0.0.0"))
    expect(oldHold.negotiated.direction).toBe("recvonly")
    expect(oldHold.answer.text).toContain("a=recvonly\r\n")
    expect(answered(sdp(["a=sendonly", audio])).negotiated.direction).toBe("recvonly")
    expect(answered(sdp(["a=sendonly", audio, "a=sendrecv"])).negotiated.direction).toBe("sendrecv")
  })

  it("is answered with a hold while this side holds", () => {
    const { answer, negotiated: agreed } = answered(sdp([audio]), null, { ...local, direction: "sendonly" })
    expect([agreed.direction, answer.text.includes("a=sendonly")]).toEqual(["sendonly", true])
  })

  it("may have its own address and its own port of RTCP", () => {
    const session = negotiated(audio, "c=IN IP4 203.0.113.9", "a=rtcp:53020 IN IP4 203.0.113.10")
    expect(session.remote).toEqual({ address: "203.0.113.9", port: 30_000 })
    expect(session.remoteRtcp).toEqual({ address: "203.0.113.10", port: 53_020 })
    expect(negotiated("m=audio 65535 RTP/AVP 0").remoteRtcp).toBeNull()
  })

  it("may have an IPv6 address", () => {
    const media = { ...local, address: "2001:db8::1" }
    const { negotiated: agreed } = answered(sdp([audio], "IN IP6 2001:DB8::9"), null, media)
    expect(agreed.remote.address).toBe("2001:db8::9")
  })

  it("has its other streams refused with port 0", () => {
    const { answer } = answered(sdp([
      "m=audio 30002 RTP/SAVP 0",
      audio,
      "m=audio 30004 RTP/AVP 0",
      "m=video 40000 RTP/AVP 96 97",
      "m=image 40002 udptl t38"
    ]))
    expect(answer.text.match(/^m=.*$/gm)).toEqual([
      "m=audio 0 RTP/SAVP 0",
      "m=audio 20000 RTP/AVP 0",
      "m=audio 0 RTP/AVP 0",
      "m=video 0 RTP/AVP 96",
      "m=image 0 udptl t38"
    ])
  })

  it("within a session changes codec and keys, and raises the version", () => {
    const first = answered(sdp([audio, ...keys])).answer
    const second = answered(sdp(["m=audio 30000 RTP/AVP 8"]), first)
    expect(second.negotiated).toMatchObject({ codec: "PCMA", keys: null })
    expect(second.answer.text).toContain("o=- 42 2 IN IP4 192.0.2.1\r\n")
    expect(answered(sdp(["m=audio 30000 RTP/AVP 8"]), second.answer).answer).toEqual(second.answer)
  })

  it("is refused with 488 and a warning when nothing in it can be used", () => {
    const warning = (...lines: ReadonlyArray<string>) => {
      const { status, warning: code } = refusal(sdp(lines))
      return [status, code]
    }
    expect(warning("m=audio 30000 RTP/SAVP 0")).toEqual([488, 302])
    expect(warning("m=audio 30000 UDP/TLS/RTP/SAVPF 0")).toEqual([488, 302])
    expect(warning("m=audio 30000 RTP/AVP 9 18")).toEqual([488, 305])
    expect(warning("m=audio 30000 RTP/AVP 0", "a=rtpmap:0 opus/48000/2")).toEqual([488, 305])
    expect(warning("m=video 30000 RTP/AVP 96")).toEqual([488, 304])
    expect(warning("m=audio 0 RTP/AVP 0")).toEqual([488, 304])
    expect(warning()).toEqual([488, 304])
    expect(warning(audio, "c=IN IP4 gateway.example.com")).toEqual([488, 301])
    expect(warning(audio, "c=IN IP4 300.1.2.3")).toEqual([488, 301])
    expect(warning(audio, "c=IN IP4 224.2.0.1")).toEqual([488, 330])
    expect(warning(audio, "c=IN IP6 2001:db8::9")).toEqual([488, 300])
  })

  it("is refused with 400 when it cannot be parsed or exceeds a limit", () => {
    const malformed = [
      bytesOf(""),
      bytesOf("hello"),
      sdp(["m=audio x RTP/AVP 0"]),
      sdp(["m=audio 99999 RTP/AVP 0"]),
      sdp(Array.from({ length: 17 }, () => audio)),
      sdp(Array.from({ length: 600 }, () => "a=x")),
      sdp([`a=x:${"y".repeat(2_000)}`]),
      sdp(Array.from({ length: 100 }, () => `a=x:${"y".repeat(200)}`))
    ]
    expect(malformed.map((offer) => refusal(offer).status)).toEqual(malformed.map(() => 400))
  })
})

describe("an answer of the peer", () => {
  const read = (lines: ReadonlyArray<string>, offer = makeOffer(local, null)) => readAnswer(sdp(lines), offer)

  it("chooses among what was offered, with numbers of its own", () => {
    expect(read(["m=audio 30000 RTP/AVP 8 96", "a=rtpmap:96 telephone-event/8000", "a=ptime:40"])).toEqual(
      Either.right({
        remote: { address: "198.51.100.7", port: 30_000 },
        remoteRtcp: { address: "198.51.100.7", port: 30_001 },
        codec: "PCMA",
        payloadType: 8,
        received: [{ codec: "PCMA", payloadType: 8 }],
        keys: { sent: 96, received: 101 },
        crypto: null,
        packetMillis: 40,
        direction: "sendrecv"
      })
    )
  })

  it("may number a law anew: it is sent by the number of the peer, and received by that of the offer", () => {
    const agreed = Either.getOrThrow(read(["m=audio 30000 RTP/AVP 98", "a=rtpmap:98 PCMU/8000"]))
    expect(agreed).toMatchObject({ payloadType: 98, received: [{ codec: "PCMU", payloadType: 0 }] })
  })

  it("may accept both laws, which the peer may then send in turn", () => {
    const agreed = Either.getOrThrow(read(["m=audio 30000 RTP/AVP 8 0"]))
    expect(agreed).toMatchObject({ codec: "PCMA", keys: null })
    expect(agreed.received.map(({ payloadType }) => payloadType)).toEqual([0, 8])
  })

  it("follows the direction of the offer", () => {
    const holding = makeOffer({ ...local, direction: "sendonly" }, null)
    expect(Either.map(read(["m=audio 30000 RTP/AVP 0", "a=recvonly"], holding), ({ direction }) => direction)).toEqual(
      Either.right("sendonly")
    )
  })

  it("is refused when it accepts nothing, something else, or another number of streams", () => {
    const status = (...lines: ReadonlyArray<string>) =>
      Either.match(read(lines), {
        onLeft: (error) => error.status,
        onRight: () => 200
      })
    expect(status("m=audio 0 RTP/AVP 0")).toBe(488)
    expect(status("m=audio 30000 RTP/AVP 18")).toBe(488)
    expect(status("m=audio 30000 RTP/SAVP 0")).toBe(488)
    expect(status(audio, audio)).toBe(400)
    expect(status()).toBe(400)
  })
})
