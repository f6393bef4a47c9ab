import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { answerOffer, type LocalMedia, makeOffer, type MediaCrypto, readAnswer } from "../../../src/index.js"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Takes values that begin with `good`, and answers with its own. */
const crypto = (required: boolean): MediaCrypto => ({
  required,
  offered: ["1 own-80", "2 own-32"],
  answer: (values) => {
    const received = values.find((value) => value.startsWith("good"))
    return received === undefined ? null : { sent: "1 answer", received }
  },
  accept: ([value = ""]) => value.startsWith("good") ? { sent: "1 own-80", received: value } : null
})

const plain: LocalMedia = { sessionId: 42, address: "192.0.2.1", port: 20_000 }
const preferred: LocalMedia = { ...plain, crypto: crypto(false) }
const required: LocalMedia = { ...plain, crypto: crypto(true) }

const sdp = (...streams: ReadonlyArray<string>) =>
  bytesOf(["v=0", "o=- 7 7 IN IP4 198.51.100.7", "s=-", "c=IN IP4 198.51.100.7", "t=0 0", ...streams, ""].join("\r\n"))

const avp = "m=audio 30000 RTP/AVP 0"
const savp = "m=audio 30000 RTP/SAVP 0"
const key = "a=crypto:good key"

/** The answer to an offer: its profile and keys, or the status and the reason of its refusal. */
const answerTo = (local: LocalMedia, ...streams: ReadonlyArray<string>) =>
  Either.match(answerOffer(sdp(...streams), local, null), {
    onLeft: ({ message, status }) => `${status} ${message}`,
    onRight: ({ answer, negotiated }) => ({
      lines: answer.text.split("\r\n").filter((line) => /^m=|^a=crypto/.test(line)),
      crypto: negotiated.crypto
    })
  })

const agreed = { sent: "1 answer", received: "good key" }

describe("an offer of encrypted sound", () => {
  it("names the keys at the end of its stream, with the profile that the line needs", () => {
    const linesOf = (local: LocalMedia) => makeOffer(local, null).text.trimEnd().split("\r\n")
    expect(linesOf(required)).toContain("m=audio 20000 RTP/SAVP 0 8 101")
    expect(linesOf(preferred)).toContain("m=audio 20000 RTP/AVP 0 8 101")
    for (const local of [required, preferred]) {
      expect(linesOf(local).slice(-2)).toEqual(["a=crypto:1 own-80", "a=crypto:2 own-32"])
    }
    expect(makeOffer(plain, null).text).not.toContain("crypto")
  })

  it("keeps its text and version as long as nothing changes", () => {
    const first = makeOffer(required, null)
    expect(makeOffer(required, first)).toEqual(first)
  })

  const accept = (local: LocalMedia, ...streams: ReadonlyArray<string>) =>
    Either.match(readAnswer(sdp(...streams), makeOffer(local, null)), {
      onLeft: ({ status }) => status,
      onRight: (negotiated) => negotiated.crypto
    })

  it("is accepted by keys that fit, whatever the profile of the answer", () => {
    const pair = { sent: "1 own-80", received: "good key" }
    for (const local of [required, preferred]) {
      expect(accept(local, savp, key)).toEqual(pair)
      expect(accept(local, avp, key)).toEqual(pair)
    }
  })

  it("is not accepted without keys, unless plain sound will do", () => {
    expect(accept(required, avp)).toBe(488)
    expect(accept(required, savp, "a=crypto:bad")).toBe(488)
    expect(accept(preferred, savp)).toBe(488)
    expect(accept(preferred, avp)).toBeNull()
    expect(accept(plain, savp, key)).toBe(488)
  })
})

describe("an answer", () => {
  it("takes the keys of an offer, with its profile", () => {
    for (const local of [required, preferred]) {
      expect(answerTo(local, savp, "a=crypto:bad", key)).toEqual({
        lines: ["m=audio 20000 RTP/SAVP 0", "a=crypto:1 answer"],
        crypto: agreed
      })
      expect(answerTo(local, avp, key)).toEqual({
        lines: ["m=audio 20000 RTP/AVP 0", "a=crypto:1 answer"],
        crypto: agreed
      })
    }
  })

  it("is plain for plain sound where encryption is not required, and takes no notice of keys where it is off", () => {
    expect(answerTo(preferred, avp)).toEqual({ lines: ["m=audio 20000 RTP/AVP 0"], crypto: null })
    expect(answerTo(plain, avp, key)).toEqual({ lines: ["m=audio 20000 RTP/AVP 0"], crypto: null })
  })

  it("chooses the encrypted one of several streams", () => {
    expect(answerTo(preferred, avp, savp, key)).toEqual({
      lines: ["m=audio 0 RTP/AVP 0", "m=audio 20000 RTP/SAVP 0", "a=crypto:1 answer"],
      crypto: agreed
    })
  })

  it("refuses what is not encrypted, or cannot be, without a word of the keys", () => {
    const noKeys = "488 Incompatible media format: no acceptable a=crypto"
    expect(answerTo(required, avp)).toBe(noKeys)
    expect(answerTo(required, savp, "a=crypto:bad secret")).toBe(noKeys)
    expect(answerTo(preferred, savp)).toBe(noKeys)
    expect(answerTo(plain, savp, key)).toBe("488 Incompatible transport protocol: only RTP/AVP is accepted")
  })

  it("takes a key of its own stream only, and reads eight at most", () => {
    expect(answerTo(required, "m=video 30002 RTP/SAVP 99", key, savp)).toBe(
      "488 Incompatible media format: no acceptable a=crypto"
    )
    const bad = Array.from({ length: 8 }, () => "a=crypto:bad")
    expect(answerTo(required, savp, ...bad, key)).toBe("488 Incompatible media format: no acceptable a=crypto")
  })
})
