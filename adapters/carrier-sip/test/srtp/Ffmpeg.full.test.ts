import { assert, describe, it } from "@effect/vitest"
import { concatSamples, frameSamples, fromLinear16, mulaw } from "@trunkline/audio"
import { emptyRtpPacket, isRtcp, readRtcp, readRtp, writeRtp } from "@trunkline/sip"
import { Effect, Redacted } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type CryptoAttribute, makeCrypto, writeCrypto } from "../../src/srtp/Sdes.js"
import { makeSrtpReceiver, makeSrtpSender } from "../../src/srtp/Srtp.js"
import { type SrtpKey, type SrtpSuite, srtpSuites } from "../../src/srtp/SrtpKey.js"
import { freePort, hasTools, startPeer, temporaryFolder, untilBound } from "../../src/testing/PeerProcess.js"
import { openSocket } from "../UdpRelay.js"
import { opened, protectedBy } from "./Packets.js"

/** First sequence number: a tone of 2 s goes on beyond the last one. */
const firstSequence = 65_500
const pitchHertz = 440

const keyFrom = ({ key, suite }: CryptoAttribute): SrtpKey => ({ suite, master: Redacted.value(key) })

const wave = (samples: number, from = 0) =>
  Float32Array.from({ length: samples }, (_, at) => 0.5 * Math.sin(2 * Math.PI * pitchHertz * (from + at) / 8_000))

/** Share of the power of a sound that is at the pitch of the tone: 1 for nothing else. */
const purityOf = (samples: Float32Array): number => {
  let [cosine, sine, power] = [0, 0, 0]
  samples.forEach((sample, at) => {
    const angle = 2 * Math.PI * pitchHertz * at / 8_000
    cosine += sample * Math.cos(angle)
    sine += sample * Math.sin(angle)
    power += sample * sample
  })
  return 2 * (cosine * cosine + sine * sine) / (samples.length * power)
}

/**
 * Names under which ffmpeg uses the suites of RFC 4568. Under their own name, its tags of RTCP have 4 bytes with the
 * short suite (libavformat/srtp.c); under that of RFC 5764, which is the same otherwise, they have 10.
 */
const names: Readonly<Record<SrtpSuite, string>> = {
  AES_CM_128_HMAC_SHA1_80: "AES_CM_128_HMAC_SHA1_80",
  AES_CM_128_HMAC_SHA1_32: "SRTP_AES128_CM_HMAC_SHA1_32"
}

/** Packets that ffmpeg sends to two ports of ours until it ends. */
const sentByFfmpeg = (crypto: CryptoAttribute) =>
  Effect.gen(function*() {
    const cwd = yield* temporaryFolder
    const port = yield* freePort(1)
    const rtp: Array<Uint8Array> = []
    const rtcp: Array<Uint8Array> = []
    const [socket, reports] = [yield* openSocket(port), yield* openSocket(port + 1)]
    socket.on("message", (bytes) => rtp.push(bytes))
    reports.on("message", (bytes) => rtcp.push(bytes))
    const tone = `sine=frequency=${pitchHertz}:sample_rate=8000:samples_per_frame=${frameSamples}:duration=2`
    const key = Buffer.from(Redacted.value(crypto.key)).toString("base64")
    const encoding = ["-c:a", "pcm_mulaw", "-f", "rtp", "-seq", `${firstSequence}`]
    const protection = ["-srtp_out_suite", names[crypto.suite], "-srtp_out_params", key, `srtp://127.0.0.1:${port}`]
    const ffmpeg = yield* startPeer("ffmpeg", ["-re", "-f", "lavfi", "-i", tone, ...encoding, ...protection], { cwd })
    assert.strictEqual(yield* ffmpeg.exitCode, 0, ffmpeg.output())
    return { rtp, rtcp }
  })

/** Sound that ffmpeg hears for a second on a port, to which `send` is called every 20 ms. */
const heardByFfmpeg = (crypto: CryptoAttribute, send: (port: number) => void) =>
  Effect.gen(function*() {
    const cwd = yield* temporaryFolder
    const port = yield* freePort(1)
    const description = [
      "v=0",
      "o=- 1 1 IN IP4 127.0.0.1",
      "s=-",
      "c=IN IP4 127.0.0.1",
      "t=0 0",
      `m=audio ${port} RTP/SAVP 0`,
      `a=crypto:${writeCrypto(crypto)}`
    ]
    writeFileSync(join(cwd, "call.sdp"), description.map((line) => `${line}\r\n`).join(""))
    const input = ["-protocol_whitelist", "file,udp,rtp,srtp,crypto", "-i", "call.sdp"]
    const ffmpeg = yield* startPeer("ffmpeg", [...input, "-t", "1", "-f", "s16le", "heard.raw"], { cwd })
    yield* untilBound(ffmpeg, { port, transport: "udp" })
    const sending = Effect.forever(Effect.delay(Effect.sync(() => send(port)), "20 millis"))
    const code = yield* Effect.raceFirst(ffmpeg.exitCode, sending)
    assert.strictEqual(code, 0, ffmpeg.output())
    return fromLinear16(readFileSync(join(cwd, "heard.raw")))
  })

describe.skipIf(!hasTools("ffmpeg"))("a call with ffmpeg", () => {
  for (const suite of srtpSuites) {
    it.scopedLive(`is understood over the end of the sequence numbers: ${suite}`, () =>
      Effect.gen(function*() {
        const crypto = makeCrypto(1, suite)
        const { rtcp, rtp } = yield* sentByFfmpeg(crypto)
        const { unprotectRtcp, unprotectRtp } = makeSrtpReceiver(keyFrom(crypto))
        const rtpPacket = emptyRtpPacket()
        const sounds = rtp.map((packet, index) => {
          const plain = opened(unprotectRtp, packet)
          if (typeof plain === "string" || !readRtp(plain, rtpPacket)) {
            return assert.fail(`Packet ${index} is refused: ${plain}`)
          }
          assert.strictEqual(rtpPacket.sequence, (firstSequence + index) % 2 ** 16)
          return mulaw.decode(plain.subarray(rtpPacket.payloadStart, rtpPacket.payloadEnd))
        })
        assert.strictEqual(sounds.length, 100)
        assert.isAbove(purityOf(concatSamples(sounds)), 0.99)
        assert.isAbove(rtcp.length, 0)
        for (const packet of rtcp) {
          const report = opened(unprotectRtcp, packet)
          assert.isTrue(isRtcp(packet))
          if (typeof report === "string") return assert.fail(`A report is refused: ${report}`)
          assert.strictEqual(readRtcp(report)?.sender?.ssrc, rtpPacket.ssrc)
        }
      }))

    it.scopedLive(`is heard by it over the end of the sequence numbers: ${suite}`, () =>
      Effect.gen(function*() {
        const crypto = makeCrypto(1, suite)
        const { protectRtp } = makeSrtpSender(keyFrom(crypto))
        const socket = yield* openSocket()
        let count = 0
        const samples = yield* heardByFfmpeg(crypto, (port) => {
          const header = {
            payloadType: 0,
            marker: count === 0,
            sequence: (firstSequence + count) & 0xFFFF,
            timestamp: count * frameSamples,
            ssrc: 0xCAFE_BABE
          }
          const packet = writeRtp(header, mulaw.encode(wave(frameSamples, count * frameSamples)))
          socket.send(protectedBy(protectRtp, packet), port, "127.0.0.1")
          count += 1
        })
        assert.isAtLeast(samples.length, 8_000)
        assert.isAbove(count, 2 ** 16 - firstSequence)
        assert.isAbove(purityOf(samples), 0.99)
      }))
  }
})
