import { assert, describe } from "@effect/vitest"
import type { AudioLine } from "@trunkline/telephony"
import { Effect } from "effect"
import { startBaresip } from "../../src/testing/Baresip.js"
import { freePort, hasTools } from "../../src/testing/PeerProcess.js"
import { clearFrames, framesOf, tone } from "../peers/Tones.js"
import { answering, carrierOf, connectionTo, lineOf, liveTests, ourNumber, planFor, until } from "../peers/World.js"

const live = liveTests()

/** Tones of both sides, above what a narrow band carries. */
const [ours, theirs] = [5_200, 6_300]

/** A softphone with G.722 alone, and a carrier whose line has some codecs. */
const world = (codecs?: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const phone = yield* startBaresip({
      sound: tone(16_000, theirs, 60),
      rate: 16_000,
      account: ";answermode=auto"
    })
    const port = yield* freePort()
    const connection = connectionTo(phone.port, {
      local: { address: "127.0.0.1", port },
      inbound: { allow: ["127.0.0.1"], aliases: { desk: ourNumber } },
      // baresip names another address of the machine than the one that it sends from.
      nat_latch: true,
      ...(codecs !== undefined && { codecs })
    })
    return { phone, connection, carrier: yield* carrierOf(connection), ourUri: `sip:desk@127.0.0.1:${port}` }
  })

/** Plays a tone, and hears until a second of the other side's tone and a key has come. */
const exchange = (line: AudioLine, press: Effect.Effect<void>) =>
  Effect.gen(function*() {
    const frames: Array<Float32Array> = []
    const keys: Array<string> = []
    line.hear((event) => {
      if (event._tag === "Frame") frames.push(event.samples.slice())
      if (event._tag === "Pressed") keys.push(event.digit)
    })
    line.play(tone(line.rate, ours, 4))
    yield* until(() => clearFrames(frames, line.rate, theirs) >= 50)
    yield* press
    yield* until(() => keys.length > 0)
    const before = frames.length
    yield* until(() => clearFrames(frames.slice(before), line.rate, theirs) >= 25)
    yield* Effect.sleep("1 second")
    return keys
  })

describe.skipIf(!hasTools("baresip"))("a softphone with G.722", () => {
  live("is called, and both sides hear each other's wide band and keys", () =>
    Effect.gen(function*() {
      const { carrier, connection, phone } = yield* world(["G722", "PCMU", "PCMA"])
      const call = yield* carrier.place(planFor(connection))
      const line = lineOf(yield* call.answer)
      assert.strictEqual(line.rate, 16_000)
      assert.deepStrictEqual(yield* exchange(line, phone.command("sndcode", "5")), ["5"])
      yield* line.hangUp
      yield* until(() => phone.heardSound() !== undefined)
      yield* Effect.sleep("500 millis")
      const { frames, rate } = framesOf(phone.heardSound())
      assert.strictEqual(rate, 16_000)
      assert.isAtLeast(clearFrames(frames, rate, ours), 50)
    }))

  live("calls, and both sides hear each other's wide band and keys", () =>
    Effect.gen(function*() {
      const { carrier, ourUri, phone } = yield* world(["PCMU", "G722"])
      let keys: ReadonlyArray<string> = []
      yield* answering(carrier, (offer) =>
        Effect.gen(function*() {
          const line = lineOf(yield* offer.accept)
          assert.strictEqual(line.rate, 16_000)
          const pressed = yield* exchange(line, phone.command("sndcode", "7"))
          yield* line.hangUp
          keys = pressed
        }))
      yield* phone.dial(ourUri)
      yield* until(() => keys.length > 0)
      yield* Effect.sleep("500 millis")
      assert.deepStrictEqual(keys, ["7"])
      const { frames, rate } = framesOf(phone.heardSound())
      assert.isAtLeast(clearFrames(frames, rate, ours), 50)
    }))

  live("is not talked to by a line without it", () =>
    Effect.gen(function*() {
      const { carrier, connection } = yield* world()
      const failure = yield* carrier.place(planFor(connection)).pipe(
        Effect.flatMap(({ answer }) => answer),
        Effect.flip
      )
      assert.match(failure.reason ?? "", /^sip: (?:rejected_by_provider|unusable_media)$/)
    }))
})
