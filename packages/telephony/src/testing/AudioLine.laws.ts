import { assert, describe } from "@effect/vitest"
import { mulaw } from "@trunkline/audio"
import { BusinessTime } from "@trunkline/kernel"
import { Effect, type Scope } from "effect"
import type { AudioLine, LineEvent } from "../call/AudioLine.js"
import type { AudioCall } from "../simulator/SimulatedAudioLine.js"
import type { DefineTest } from "./CarrierHarness.js"

/** A tone of some milliseconds, far above any noise of a line. */
const tone = (rate: number, millis: number): Float32Array =>
  Float32Array.from({ length: rate * millis / 1000 }, (_, at) => 0.5 * Math.sin(2 * Math.PI * 500 * at / rate))

/** Milliseconds of frames that are louder than -40 dBFS. */
const loudMillis = (samples: Float32Array, rate: number): number => {
  const length = rate / 50
  let loud = 0
  for (let at = 0; at + length <= samples.length; at += length) {
    const power = samples.subarray(at, at + length).reduce((sum, sample) => sum + sample * sample, 0) / length
    if (power > 1e-4) loud += 20
  }
  return loud
}

const wait = (millis: number) => Effect.flatMap(BusinessTime.now, (now) => BusinessTime.sleepUntil(now + millis))

/** The events of a line from now on. */
const eventsOf = (line: AudioLine): ReadonlyArray<LineEvent> => {
  const events: Array<LineEvent> = []
  line.hear((event) => events.push(event._tag === "Frame" ? { ...event, samples: event.samples.slice() } : event))
  return events
}

const marksIn = (events: ReadonlyArray<LineEvent>): ReadonlyArray<number> =>
  events.flatMap((event) => event._tag === "Reached" ? [event.mark] : [])

const framesIn = (events: ReadonlyArray<LineEvent>): ReadonlyArray<Float32Array> =>
  events.flatMap((event) => event._tag === "Frame" ? [event.samples] : [])

/** Milliseconds of frames that were heard before a mark: the time of the line, however late the test looks. */
const millisBefore = (mark: number, events: ReadonlyArray<LineEvent>): number =>
  20 * framesIn(events.slice(0, events.findIndex((event) => event._tag === "Reached" && event.mark === mark))).length

/**
 * Laws of `AudioLine`: frames at the pace of the line, sound in order with its marks, a clear that tells what was played,
 * keys, hold, and one end after which nothing is played. `open` connects a new call for every test. Times may be off by
 * `tolerance` milliseconds, for lines with buffers on their way; default 40. `holds` is false for lines that cannot be held.
 */
export const audioLineLaws = <E>(
  name: string,
  open: Effect.Effect<AudioCall, E, Scope.Scope>,
  test: DefineTest,
  { holds = true, tolerance = 40 }: { readonly holds?: boolean; readonly tolerance?: number } = {}
): void => {
  const law = (title: string, check: (call: AudioCall) => Effect.Effect<void, unknown, Scope.Scope>) =>
    test(title, () => Effect.flatMap(open, check))

  describe(`AudioLine laws: ${name}`, () => {
    law("gives a frame for every 20 ms, with the caller's sound", ({ caller, line }) =>
      Effect.gen(function*() {
        const events = eventsOf(line)
        caller.say(tone(line.rate, 200))
        yield* wait(1_000)
        const frames = framesIn(events)
        assert.closeTo(frames.length * 20, 1_000, tolerance)
        assert.isTrue(frames.every((frame) => frame.length === line.rate / 50))
        const sound = Float32Array.from(frames.flatMap((frame) => [...frame]))
        assert.closeTo(loudMillis(sound, line.rate), 200, tolerance)
      }))

    law("plays sound in order, and reports each mark after its sound", ({ caller, line }) =>
      Effect.gen(function*() {
        const events = eventsOf(line)
        line.play(tone(line.rate, 200), 1)
        line.play(tone(line.rate, 100))
        line.play(tone(line.rate, 100), 2)
        yield* wait(700)
        assert.deepStrictEqual(marksIn(events), [1, 2])
        assert.closeTo(millisBefore(1, events), 200, tolerance)
        assert.closeTo(millisBefore(2, events), 400, tolerance)
        assert.closeTo(loudMillis(caller.recording(), line.rate), 400, tolerance)
      }))

    law("reports a mark without sound at once when nothing plays", ({ line }) =>
      Effect.gen(function*() {
        const events = eventsOf(line)
        line.play(new Float32Array(), 7)
        yield* wait(100 + tolerance)
        assert.deepStrictEqual(marksIn(events), [7])
      }))

    law(
      "stops at a clear, tells how much was played, and drops the marks behind",
      ({ caller, line }) =>
        Effect.gen(function*() {
          const events = eventsOf(line)
          line.play(tone(line.rate, 200), 1)
          line.play(tone(line.rate, 2_000), 2)
          yield* wait(1_000)
          const sampleCount = line.clear()
          assert.closeTo(sampleCount * 1_000 / line.rate, 1_000, tolerance)
          yield* wait(1_000)
          assert.deepStrictEqual(marksIn(events), [1])
          assert.closeTo(loudMillis(caller.recording(), line.rate), 1_000, tolerance)
          assert.strictEqual(line.clear(), 0)
          line.play(tone(line.rate, 100), 3)
          yield* wait(300)
          assert.deepStrictEqual(marksIn(events), [1, 3])
        })
    )

    law("plays samples that are not finite as silence", ({ caller, line }) =>
      Effect.gen(function*() {
        const events = eventsOf(line)
        line.play(Float32Array.from({ length: line.rate / 10 }, () => Number.NaN), 1)
        yield* wait(200 + tolerance)
        assert.deepStrictEqual(marksIn(events), [1])
        assert.isTrue(caller.recording().every(Number.isFinite))
        assert.strictEqual(loudMillis(caller.recording(), line.rate), 0)
      }))

    law(
      "has codes of both sides where it can be tapped: of what is heard, and of what was played",
      ({ caller, line }) =>
        Effect.gen(function*() {
          if (line.tap === undefined) return
          const events = eventsOf(line)
          const { read } = line.tap()
          const codes: Array<number> = []
          const readCodes = () => read((part) => void codes.push(...part))
          yield* wait(200)
          caller.say(tone(line.rate, 200))
          yield* wait(400)
          readCodes()
          line.play(tone(line.rate, 2_000))
          yield* wait(300)
          line.clear()
          yield* wait(400)
          readCodes()
          const side = (offset: number) => mulaw.decode(Uint8Array.from(codes.filter((_, at) => at % 2 === offset)))
          assert.closeTo(codes.length / 320, framesIn(events).length, 1 + tolerance / 20)
          assert.closeTo(loudMillis(side(0), line.rate), 200, tolerance)
          assert.closeTo(loudMillis(side(1), line.rate), 300, tolerance)
          assert.closeTo(loudMillis(caller.recording(), line.rate), loudMillis(side(1), line.rate), tolerance)
        })
    )

    law("passes keys in both directions", ({ caller, line }) =>
      Effect.gen(function*() {
        const events = eventsOf(line)
        caller.press("5")
        yield* line.press("1x#")
        yield* wait(500)
        assert.deepStrictEqual(events.filter(({ _tag }) => _tag === "Pressed"), [{ _tag: "Pressed", digit: "5" }])
        assert.strictEqual(caller.keys(), "1#")
      }))

    law("plays nothing while it is held, and goes on afterwards", ({ caller, line }) =>
      Effect.gen(function*() {
        if (!holds) return
        const events = eventsOf(line)
        caller.hold(true)
        yield* wait(200)
        line.play(tone(line.rate, 200), 1)
        yield* wait(1_000)
        assert.deepStrictEqual(marksIn(events), [])
        caller.hold(false)
        yield* wait(400 + tolerance)
        assert.deepStrictEqual(marksIn(events), [1])
        const states = events.flatMap((event) => event._tag === "Held" ? [event.on] : [])
        assert.deepStrictEqual(states, [true, false])
      }))

    for (const by of ["user", "agent"] as const) {
      law(
        `tells what was played until the ${by} hung up, at a clear afterwards`,
        ({ caller, line }) =>
          Effect.gen(function*() {
            line.play(tone(line.rate, 2_000), 1)
            yield* wait(1_000)
            yield* by === "user" ? caller.hangUp : line.hangUp
            yield* wait(100 + tolerance)
            assert.closeTo(line.clear() * 1_000 / line.rate, 1_000, 2 * tolerance)
            assert.strictEqual(line.clear(), 0)
          })
      )

      law(`ends once, by the ${by}, and plays nothing afterwards`, ({ caller, line }) =>
        Effect.gen(function*() {
          const events = eventsOf(line)
          const hangUp = by === "user" ? caller.hangUp : line.hangUp
          yield* hangUp
          yield* hangUp
          assert.strictEqual(yield* caller.ended, by)
          yield* wait(100 + tolerance)
          line.play(tone(line.rate, 200), 1)
          yield* wait(500)
          assert.deepStrictEqual(events.filter(({ _tag }) => _tag === "Ended"), [{ _tag: "Ended", by }])
          assert.strictEqual(events.at(-1)?._tag, "Ended")
          assert.strictEqual(loudMillis(caller.recording(), line.rate), 0)
          assert.deepStrictEqual(eventsOf(line), [{ _tag: "Ended", by }])
        }))
    }
  })
}
