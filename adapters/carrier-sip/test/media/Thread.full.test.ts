import { assert, describe } from "@effect/vitest"
import type { WorkerThread } from "@trunkline/workers"
import { Effect, Layer, ManagedRuntime, type Scope } from "effect"
import { createSocket } from "node:dgram"
import { afterAll } from "vitest"
import { layerMedia, Media, type MediaEvent } from "../../src/index.js"
import { layerMediaPool } from "../../src/media/MediaPool.js"
import { startMediaThread } from "../../src/SipMedia.js"
import { liveTestsWith } from "../peers/World.js"
import { openRelay, openSocket } from "../UdpRelay.js"
import { openPeer, type RtpPeer } from "./RtpPeer.js"
import { describePeer } from "./Sessions.js"

/** The threads that were started, the last one at the end. */
const threads: Array<WorkerThread> = []
const runtime = ManagedRuntime.make(layerMediaPool({
  deadAfterMillis: 200,
  ports: { from: 42_000, to: 42_999 },
  start: (settings, handlers) => {
    const thread = startMediaThread(settings, handlers)
    threads.push(thread)
    return thread
  }
}))
afterAll(() => runtime.dispose())

const test = liveTestsWith(Layer.effect(Media, Effect.provide(Media, runtime)))

const open = Effect.flatMap(Media, (media) => media.open({ address: "127.0.0.1", family: 4 }))

/** Sends a packet of a peer every 20 ms, until the scope closes. */
const run = (peer: RtpPeer): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(Effect.forkScoped(Effect.forever(Effect.zipRight(Effect.sync(peer.tick), Effect.sleep(20)))))

const until = (condition: () => boolean) => Effect.repeat(Effect.sleep(10), { until: condition })

const tone = (millis: number) => Float32Array.from({ length: millis * 8 }, (_, at) => 0.5 * Math.sin(at * 0.4))

describe("a media thread", () => {
  test("carries sound both ways", () =>
    Effect.gen(function*() {
      const peer = yield* openPeer
      const session = yield* open
      const events: Array<MediaEvent> = []
      let loud = 0
      session.hear((event) => {
        if (event._tag === "Frame" && event.samples.some((sample) => Math.abs(sample) > 0.4)) loud += 1
        events.push(event)
      })
      peer.sendTo(session.local.port)
      peer.say(tone(200))
      session.negotiate(describePeer(peer))
      session.play(tone(200), 1)
      yield* run(peer)
      yield* until(() => loud >= 9 && events.some(({ _tag }) => _tag === "Reached"))
      yield* until(() => peer.recording().filter((sample) => Math.abs(sample) > 0.4).length > 500)
      assert.isAtLeast((yield* Media).gauges().calls, 1)
      assert.isAbove(session.statistics().latenessMillis, 0)
    }))

  test("keeps sending while this thread stands still", () =>
    Effect.gen(function*() {
      const peer = yield* openPeer
      const session = yield* open
      session.negotiate(describePeer(peer))
      yield* until(() => peer.received.length > 3)
      const before = peer.received.length
      for (const start = performance.now(); performance.now() - start < 400;);
      for (let turn = 0; turn < 10; turn++) yield* Effect.promise(() => new Promise(setImmediate))
      assert.isAbove(peer.received.length - before, 4)
    }))

  test("gives a frame for every 20 ms over a bad network", () =>
    Effect.gen(function*() {
      const relay = yield* openRelay({ seed: 5, loss: 0.1, doubling: 0.1, delay: [0, 50] })
      const peer = yield* openPeer
      const session = yield* open
      let frames = 0
      let concealed = 0
      session.hear((event) => {
        if (event._tag !== "Frame") return
        frames += 1
        concealed += event.concealed ? 1 : 0
      })
      relay.to(session.local.port)
      peer.sendTo(relay.port)
      peer.say(tone(5_000))
      session.negotiate(describePeer(peer, { remotePort: relay.port }))
      yield* run(peer)
      yield* until(() => frames >= 60 && concealed > 0)
      assert.isAbove(relay.passed(), 50)
      const { concealedFrames, lostPackets } = session.statistics()
      assert.isAtMost(concealedFrames, concealed)
      assert.isAtLeast(lostPackets, 0)
      assert.isBelow(concealed, frames / 2)
    }))

  test("finds a call dead when nothing arrives, but not while it is on hold", () =>
    Effect.gen(function*() {
      const peer = yield* openPeer
      const session = yield* open
      session.negotiate(describePeer(peer, { direction: "inactive" }))
      const death = yield* Effect.timeoutOption(session.dead, 500)
      assert.strictEqual(death._tag, "None")
      session.negotiate(describePeer(peer))
      yield* session.dead
    }))

  test("ends its calls when it crashes, and another thread takes the next one", () =>
    Effect.gen(function*() {
      const peer = yield* openPeer
      const session = yield* open
      const started = threads.length
      session.negotiate(describePeer(peer))
      yield* Effect.promise(async () => threads.at(-1)?.terminate())
      yield* session.dead
      session.play(tone(100), 1)
      const next = yield* open
      assert.strictEqual(threads.length, started + 1)
      next.negotiate(describePeer(peer))
      const before = peer.received.length
      yield* until(() => peer.received.length > before)
    }))

  test("tells when no port is free, when one is free again, and when the address is not here", () =>
    Effect.gen(function*() {
      const media = yield* Media
      const bad = yield* Effect.flip(media.open({ address: "203.0.113.9", family: 4 }))
      assert.deepInclude(bad, { reason: "bad_address", detail: "EADDRNOTAVAIL" })
      const few = layerMedia({ ports: { from: 43_001, to: 43_005 } })
      yield* Effect.gen(function*() {
        const { local } = yield* open
        const second = yield* Effect.scoped(Effect.gen(function*() {
          const { local } = yield* open
          const none = yield* Effect.flip(open)
          assert.strictEqual(none.reason, "no_port")
          assert.strictEqual(none.message, "A call cannot have sound: no port of the range is free (43001 to 43005)")
          return local.port
        }))
        assert.deepStrictEqual([local.port, second].toSorted(), [43_002, 43_004])
        yield* openSocket(second)
        yield* openSocket(second + 1)
      }).pipe(Effect.scoped, Effect.provide(few))
    }))

  test("leaves nothing behind", () =>
    Effect.gen(function*() {
      const resources = () => process.getActiveResourcesInfo().filter((name) => /Message|Worker|UDP/.test(name)).length
      const before = resources()
      const ports = yield* Effect.gen(function*() {
        const sessions = [yield* open, yield* open]
        const peer = yield* openPeer
        for (const session of sessions) session.negotiate(describePeer(peer))
        yield* until(() => peer.received.length > 4)
        return sessions.flatMap(({ local: { port } }) => [port, port + 1])
      }).pipe(Effect.scoped, Effect.provide(layerMedia()))
      // Node.js gives handles back a turn or two after they were closed.
      yield* until(() => resources() <= before)
      for (const port of ports) {
        yield* Effect.promise(() =>
          new Promise<void>((resolve, reject) => {
            const socket = createSocket("udp4")
            socket.once("error", reject)
            socket.bind(port, "127.0.0.1", () => socket.close(() => resolve()))
          })
        )
      }
    }))
})
