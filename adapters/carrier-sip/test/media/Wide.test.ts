import { assert, describe, it } from "@effect/vitest"
import { Effect, ManagedRuntime, type Scope } from "effect"
import { afterAll } from "vitest"
import type { Media, MediaSession } from "../../src/index.js"
import { clearFrames, shareOf, tone } from "../peers/Tones.js"
import { describePeer, layerSteppedMedia, openCall, wait, wideBand } from "./Sessions.js"

const runtime = ManagedRuntime.make(layerSteppedMedia)
afterAll(() => runtime.dispose())

const test = (name: string, effect: () => Effect.Effect<void, unknown, Media | Scope.Scope>) =>
  it.live(name, () => Effect.scoped(Effect.provide(effect(), runtime)))

/** Frames of a session from now on. */
const framesOf = (session: MediaSession): ReadonlyArray<Float32Array> => {
  const frames: Array<Float32Array> = []
  session.hear((event) => {
    if (event._tag === "Frame") frames.push(event.samples.slice())
  })
  return frames
}

describe("a call that begins with G.722", () => {
  test("sends 160 bytes in 20 ms, at timestamps that count 8,000 a second", () =>
    Effect.gen(function*() {
      const { peer, session } = yield* openCall(wideBand)
      yield* wait(400)
      assert.strictEqual(session.rate, 16_000)
      const first = peer.received[0]?.getTimestamp() ?? 0
      peer.received.forEach((packet, at) => {
        assert.strictEqual(packet.getPayloadType(), 9)
        assert.strictEqual(packet.getPayload().byteLength, 160)
        assert.strictEqual((packet.getTimestamp() - first) >>> 0, 160 * at)
      })
    }))

  test("keeps its rate when it goes on with a narrow band, and back", () =>
    Effect.gen(function*() {
      const { peer, session } = yield* openCall(wideBand)
      const frames = framesOf(session)
      peer.setCodec("g722")
      peer.say(tone(16_000, 6_000, 1))
      yield* wait(1_000)
      assert.isAtLeast(clearFrames(frames, 16_000, 6_000), 40)

      session.negotiate(describePeer(peer))
      peer.setCodec("mulaw")
      assert.strictEqual(session.rate, 16_000)
      const atNarrow = frames.length
      peer.say(tone(8_000, 1_000, 1))
      session.play(tone(16_000, 1_000, 1))
      yield* wait(1_200)
      assert.isTrue(frames.every(({ length }) => length === 320))
      assert.isAtLeast(clearFrames(frames.slice(atNarrow), 16_000, 1_000), 40)
      const sound = peer.recording()
      assert.isAbove(shareOf(sound.subarray(sound.length - 4_000, sound.length - 3_200), 8_000, 1_000), 0.9)

      session.negotiate(describePeer(peer, wideBand))
      peer.setCodec("g722")
      const atWide = frames.length
      peer.say(tone(16_000, 6_000, 1))
      yield* wait(1_000)
      assert.isAtLeast(clearFrames(frames.slice(atWide), 16_000, 6_000), 40)
    }))
})

describe("a call that begins with a narrow band", () => {
  test("keeps its rate when it goes on with G.722", () =>
    Effect.gen(function*() {
      const { peer, session } = yield* openCall()
      const frames = framesOf(session)
      yield* wait(200)
      session.negotiate(describePeer(peer, wideBand))
      peer.setCodec("g722")
      peer.say(tone(16_000, 1_000, 1))
      yield* wait(1_000)
      assert.strictEqual(session.rate, 8_000)
      assert.isTrue(frames.every(({ length }) => length === 160))
      assert.isAtLeast(clearFrames(frames, 8_000, 1_000), 40)
    }))
})
