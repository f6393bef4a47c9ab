import { assert, describe, it } from "@effect/vitest"
import { Effect, ManagedRuntime, type Scope } from "effect"
import { packets } from "rtp.js"
import { afterAll } from "vitest"
import { Media, type MediaEvent, type MediaSession } from "../../src/index.js"
import { openSocket, seeded } from "../UdpRelay.js"
import { openPeer } from "./RtpPeer.js"
import { describePeer, layerSteppedMedia, openCall, openCallWith, wait } from "./Sessions.js"

const runtime = ManagedRuntime.make(layerSteppedMedia)
afterAll(() => runtime.dispose())

const test = (name: string, effect: () => Effect.Effect<void, unknown, Media | Scope.Scope>) =>
  it.live(name, () => Effect.scoped(Effect.provide(effect(), runtime)))

/** A tone, and its loudness in a recording. */
const tone = (millis: number) => Float32Array.from({ length: millis * 8 }, (_, at) => 0.5 * Math.sin(at * 0.4))
const loudness = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length))

const eventsOf = (session: MediaSession): ReadonlyArray<MediaEvent> => {
  const events: Array<MediaEvent> = []
  session.hear((event) => events.push(event._tag === "Frame" ? { ...event, samples: event.samples.slice() } : event))
  return events
}

const soundIn = (events: ReadonlyArray<MediaEvent>): Float32Array =>
  Float32Array.from(events.flatMap((event) => event._tag === "Frame" ? [...event.samples] : []))

const keysIn = (events: ReadonlyArray<MediaEvent>) =>
  events.flatMap((event) => event._tag === "Pressed" ? [event.digit] : []).join("")

describe("a media session", () => {
  test("has an even port, sends silence from the start, and counts both ways", () =>
    Effect.gen(function*() {
      const { peer, session } = yield* openCall()
      yield* wait(1_000)
      assert.strictEqual(session.local.port % 2, 0)
      assert.strictEqual(loudness(peer.recording()), 0)
      const first = peer.received[0]?.getTimestamp() ?? 0
      peer.received.forEach((packet, at) => {
        assert.strictEqual((packet.getTimestamp() - first) >>> 0, at * 160)
        assert.strictEqual(packet.getPayload().byteLength, 160)
      })
      const { receivedPackets, sentPackets, ...rest } = session.statistics()
      assert.closeTo(sentPackets, peer.received.length, 12)
      assert.isAbove(receivedPackets, 20)
      assert.deepInclude(rest, { lostPackets: 0, remoteLostPackets: null, roundTripMillis: null })
      assert.strictEqual((yield* Media).gauges().calls, 1)
    }))

  test("changes the codec and the duration of packets in the middle", () =>
    Effect.gen(function*() {
      const { peer, session } = yield* openCall()
      const events = eventsOf(session)
      yield* wait(200)
      session.negotiate(describePeer(peer, { codec: "alaw", payloadType: 8, packetMillis: 40 }))
      peer.setCodec("alaw")
      peer.say(tone(400))
      session.play(tone(400))
      yield* wait(800)
      assert.isAbove(loudness(soundIn(events)), 0.15)
      assert.isAbove(loudness(peer.recording()), 0.15)
      const changed = peer.received.filter((packet) => packet.getPayloadType() === 8)
      assert.isTrue(changed.every((packet) => packet.getPayload().byteLength === 320))
    }))

  test("sends by the numbers of the other side, and hears by its own", () =>
    Effect.gen(function*() {
      const peer = yield* openPeer
      peer.renumber({ sentKeys: 101, takenKeys: 96, takenSound: 98 })
      const session = yield* openCallWith(peer, { payloadType: 98, telephoneEvent: { sent: 96, received: 101 } })
      const events = eventsOf(session)
      yield* wait(100)
      peer.say(tone(400))
      session.play(tone(400))
      yield* wait(500)
      peer.press("7")
      yield* session.press("5")
      yield* wait(400)
      assert.isAbove(loudness(soundIn(events)), 0.15)
      assert.isAbove(loudness(peer.recording()), 0.15)
      assert.deepStrictEqual([keysIn(events), peer.pressed()], ["7", "5"])
      assert.deepStrictEqual([...new Set(peer.received.map((packet) => packet.getPayloadType()))].sort(), [96, 98])
    }))

  test("sends and counts a key that comes by both ways once", () =>
    Effect.gen(function*() {
      const { peer, session } = yield* openCall()
      const events = eventsOf(session)
      yield* wait(100)
      peer.press("7")
      session.reportKey("7")
      session.reportKey("8")
      yield* wait(300)
      assert.strictEqual(keysIn(events), "78")
    }))

  test("sends keys by INFO to a side that takes no telephone events", () =>
    Effect.gen(function*() {
      const messages: Array<string> = []
      const peer = yield* openPeer
      const session = yield* Effect.flatMap(Media, (media) =>
        media.open({
          address: "127.0.0.1",
          family: 4,
          sendInfo: (digit) => Effect.sync(() => messages.push(digit))
        }))
      session.negotiate(describePeer(peer, { telephoneEvent: null }))
      yield* session.press("1x2")
      assert.deepStrictEqual(messages, ["1", "2"])
      session.negotiate(describePeer(peer))
      yield* session.press("3")
      yield* wait(200)
      assert.deepStrictEqual(messages, ["1", "2"])
      assert.strictEqual(peer.pressed(), "3")
    }))

  test("answers from the port that packets come from, and ignores and counts those of strangers", () =>
    Effect.gen(function*() {
      const { peer, session } = yield* openCall({ remotePort: 9 })
      const stranger = yield* openSocket()
      const { gauges } = yield* Media
      const before = gauges().refusedPackets
      yield* wait(200)
      assert.isAbove(peer.received.length, 2)
      const noise = new packets.RtpPacket()
      noise.setPayload(new DataView(new ArrayBuffer(160)))
      noise.serialize()
      for (let count = 0; count < 50; count++) {
        const { buffer, byteLength, byteOffset } = noise.getView()
        stranger.send(new Uint8Array(buffer, byteOffset, byteLength), session.local.port, "127.0.0.1")
      }
      const events = eventsOf(session)
      yield* wait(300)
      assert.strictEqual(loudness(soundIn(events)), 0)
      assert.strictEqual(gauges().refusedPackets - before, 50)
    }))

  test("sends and reads reports of RTCP, and says goodbye", () =>
    Effect.gen(function*() {
      const peer = yield* openPeer
      yield* Effect.scoped(Effect.gen(function*() {
        const session = yield* openCallWith(peer)
        yield* wait(100)
        const report = new packets.ReceptionReport()
        report.setSsrc(peer.received[0]?.getSsrc() ?? 0)
        report.setTotalLost(5)
        const packet = new packets.ReceiverReportPacket()
        packet.addReport(report)
        packet.serialize()
        const socket = yield* openSocket()
        const { buffer, byteLength, byteOffset } = packet.getView()
        socket.send(new Uint8Array(buffer, byteOffset, byteLength), session.local.port + 1, "127.0.0.1")
        yield* wait(400)
        assert.strictEqual(session.statistics().remoteLostPackets, 5)
      }))
      yield* wait(20)
      const [report, description, goodbye] = peer.reports.at(-1)?.getPackets() ?? []
      assert.isTrue(report instanceof packets.SenderReportPacket)
      if (report instanceof packets.SenderReportPacket) {
        assert.strictEqual(report.getPacketCount(), peer.received.length)
        assert.strictEqual(report.getReports().length, 1)
      }
      assert.isTrue(description instanceof packets.SdesPacket)
      assert.isTrue(goodbye instanceof packets.ByePacket)
    }))

  test("hears nothing before it is negotiated, and nothing after its scope has closed", () =>
    Effect.gen(function*() {
      const { events, session } = yield* Effect.scoped(Effect.gen(function*() {
        const session = yield* Effect.flatMap(Media, (media) => media.open({ address: "127.0.0.1", family: 4 }))
        const events = eventsOf(session)
        yield* wait(100)
        assert.deepStrictEqual(events, [])
        session.negotiate(describePeer(yield* openPeer))
        yield* wait(100)
        return { events, session }
      }))
      const count = events.length
      assert.isAbove(count, 1)
      session.play(tone(100), 1)
      session.reportKey("1")
      session.negotiate({ ...describePeer({ port: 9, rtcpPort: 9 }), direction: "inactive" })
      assert.strictEqual(session.clear(), 0)
      yield* session.press("1")
      yield* wait(100)
      assert.strictEqual(events.length, count)
    }))

  test("survives descriptions without sense, and packets that are not RTP", () =>
    Effect.gen(function*() {
      const { peer, session } = yield* openCall()
      const stray = yield* openSocket()
      const random = seeded(3)
      const ports = [0, -1, 70_000, 1.5, Number.NaN]
      const hosts = ["", "nonsense", "fe80::1%lo", "::1", "999.1.1.1"]
      for (let index = 0; index < 5; index++) {
        const remotePort = ports[index] ?? 0
        session.negotiate(describePeer(peer, { remotePort, remoteRtcpPort: remotePort, packetMillis: remotePort }))
        yield* wait(60)
        session.negotiate(describePeer(peer, { remoteHost: hosts[index] ?? "", payloadType: 300 }))
        yield* wait(60)
        for (let count = 0; count < 40; count++) {
          const noise = Uint8Array.from({ length: Math.floor(random() * 80) }, () => Math.floor(random() * 256))
          if (count % 2 === 0) noise[0] = 0x80
          stray.send(noise, session.local.port + count % 3 % 2, "127.0.0.1")
        }
      }
      session.negotiate(describePeer(peer))
      const events = eventsOf(session)
      yield* wait(200)
      peer.say(tone(200))
      yield* wait(400)
      assert.isAbove(loudness(soundIn(events)), 0.1)
    }))

  test("takes memory of any kind, and keeps its own copy of it", () =>
    Effect.gen(function*() {
      const { peer, session } = yield* openCall()
      const large = tone(400)
      const part = large.subarray(800, 2_400)
      session.play(part, 1)
      large.fill(0)
      const shared = new Float32Array(new SharedArrayBuffer(6_400)).fill(Number.POSITIVE_INFINITY)
      session.play(shared)
      yield* wait(600)
      const recorded = peer.recording()
      assert.closeTo(recorded.reduce((sum, sample) => sum + sample * sample, 0), 1_600 / 8, 20)
      assert.isBelow(Math.max(...recorded), 0.6)
    }))
})
