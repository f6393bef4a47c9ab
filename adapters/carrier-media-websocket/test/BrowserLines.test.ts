import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { audioLineLaws, type DefineTest } from "@trunkline/telephony/testing"
import { Effect, Fiber } from "effect"
import { textAt } from "../src/dialects/StreamFormat.js"
import { callFromBrowser } from "./BrowserFixtures.js"

const inVirtualTime: DefineTest = (name, effect) => virtualTest(name, () => Effect.scoped(effect()))

audioLineLaws(
  "a call from a browser",
  Effect.gen(function*() {
    const { opening, person } = yield* callFromBrowser()
    const { line } = yield* opening
    return { line, caller: { ...person, hold: () => undefined } }
  }),
  inVirtualTime,
  { tolerance: 120, holds: false }
)

const typesOf = (messages: ReadonlyArray<object>) => messages.map((message) => textAt(message, "type"))

/** Code of the error that a client was told, and of its close frame. */
const errorOf = (
  { closeCode, messages }: { readonly closeCode: () => number | null; readonly messages: ReadonlyArray<object> }
) => [
  textAt(messages.find((message) => textAt(message, "type") === "error"), "code"),
  closeCode()
]

const tone = Float32Array.from({ length: 16_000 }, (_, at) => 0.5 * Math.sin(at / 5))

describe("the client of a call from a browser", () => {
  inVirtualTime(
    "is told the version and the format, and begins the call when it is ready",
    () =>
      Effect.gen(function*() {
        const { opening, person } = yield* callFromBrowser({ starts: false })
        yield* Effect.sleep("5 seconds")
        assert.deepStrictEqual(person.messages, [
          { type: "ready", version: 1, attempt_id: "attempt-1", rate: 16_000, frame_millis: 20 }
        ])
        person.send({ type: "start" })
        assert.strictEqual((yield* opening).line.rate, 16_000)
      })
  )

  inVirtualTime("is told the words of both sides, what the agent does, and the end", () =>
    Effect.gen(function*() {
      const { opening, person } = yield* callFromBrowser()
      const { line, tell } = yield* opening
      tell({ _tag: "State", state: "listening" })
      tell({ _tag: "Words", role: "user", text: "Hello", language_name: "English", isFinal: false })
      yield* line.hangUp
      assert.deepStrictEqual(person.messages.slice(1), [
        { type: "state", state: "listening" },
        { type: "transcript", role: "user", text: "Hello", language_name: "English", final: false },
        { type: "ended", by: "agent" }
      ])
      assert.strictEqual(person.closeCode(), 1000)
      tell({ _tag: "State", state: "speaking" })
      assert.strictEqual(person.messages.length, 4)
    }))

  inVirtualTime("has never more than 200 ms of sound, and is told to clear it", () =>
    Effect.gen(function*() {
      const { opening, person } = yield* callFromBrowser()
      const { line } = yield* opening
      line.hear(() => {})
      for (let second = 0; second < 5; second++) line.play(tone)
      yield* Effect.sleep("2 seconds")
      const played = line.clear() / 16
      yield* Effect.sleep("1 second")
      assert.isAtMost(person.maxAhead(), 220)
      assert.closeTo(played, 2_000, 120)
      assert.include(typesOf(person.messages), "clear")
      const silence = person.recording().subarray(-8_000)
      assert.isTrue(silence.every((sample) => sample === 0))
    }))

  inVirtualTime("is not heard while it is muted", () =>
    Effect.gen(function*() {
      const { opening, person } = yield* callFromBrowser()
      const { line } = yield* opening
      let loudest = 0
      line.hear((event) => {
        if (event._tag === "Frame") loudest = Math.max(loudest, ...event.samples)
      })
      person.send({ type: "mute", on: true })
      person.say(tone)
      yield* Effect.sleep("2 seconds")
      assert.strictEqual(loudest, 0)
      person.send({ type: "mute", on: false })
      person.say(tone)
      yield* Effect.sleep("2 seconds")
      assert.isAbove(loudest, 0.4)
    }))

  inVirtualTime("ends the call by hanging up, and by leaving the page", () =>
    Effect.gen(function*() {
      for (const leave of ["hang_up", "close"]) {
        const { opening, pair, person } = yield* callFromBrowser()
        const { line } = yield* opening
        const ends: Array<string> = []
        line.hear((event) => event._tag === "Ended" && ends.push(event.by))
        if (leave === "close") pair.client.close(1001)
        else yield* person.hangUp
        assert.deepStrictEqual(ends, ["user"])
        assert.isNull(line.trouble?.() ?? null)
      }
    }))

  inVirtualTime("ends the call when its connection is lost, which the record says", () =>
    Effect.gen(function*() {
      const { opening, pair } = yield* callFromBrowser()
      const { line } = yield* opening
      const ends: Array<string> = []
      line.hear((event) => event._tag === "Ended" && ends.push(event.by))
      pair.client.close(1006)
      assert.deepStrictEqual(ends, ["provider"])
      assert.deepStrictEqual(line.trouble?.(), { reason: "browser: the connection was lost", isFailed: false })
    }))
})

describe("a client that breaks the protocol", () => {
  inVirtualTime("by never starting is closed after ten seconds, and not answered", () =>
    Effect.gen(function*() {
      const { opening, person } = yield* callFromBrowser({ starts: false })
      const answered = yield* Effect.either(opening)
      assert.strictEqual(answered._tag === "Left" ? answered.left.status : null, "no_answer")
      assert.deepStrictEqual(errorOf(person), ["start_timeout", 1008])
    }))

  inVirtualTime("by leaving before the start is not answered", () =>
    Effect.gen(function*() {
      const { opening, pair } = yield* callFromBrowser({ starts: false })
      pair.client.close(1006)
      const answered = yield* Effect.flip(opening)
      assert.strictEqual(answered.reason, "browser: the client left before the call began")
    }))

  inVirtualTime("by falling silent without a word is given up after 20 seconds", () =>
    Effect.gen(function*() {
      const { opening, pair, person } = yield* callFromBrowser({ starts: false })
      pair.client.send(new Uint8Array(640))
      const { line } = yield* opening
      const over = yield* Effect.fork(person.ended)
      line.hear(() => {})
      yield* Effect.sleep("19 seconds")
      assert.isNull(person.closeCode())
      yield* Effect.sleep("2 seconds")
      yield* Fiber.join(over)
      assert.strictEqual(textAt(person.messages.at(-1), "by"), "provider")
    }))

  const bad: ReadonlyArray<readonly [string, string | Uint8Array]> = [
    ["text that is no JSON", "hello"],
    ["JSON without a type", "[1]"],
    ["half a sample", new Uint8Array(3)],
    ["an empty frame", new Uint8Array()]
  ]
  for (const [name, frame] of bad) {
    inVirtualTime(`by ${name} is told so, and closed`, () =>
      Effect.gen(function*() {
        const { opening, pair, person } = yield* callFromBrowser()
        const { line } = yield* opening
        pair.client.send(frame)
        assert.deepStrictEqual(errorOf(person), ["bad_message", 1008])
        assert.strictEqual(line.trouble?.()?.reason, "browser: bad_message")
      }))
  }

  inVirtualTime("by messages of later versions is understood as far as they go", () =>
    Effect.gen(function*() {
      const { opening, person } = yield* callFromBrowser()
      yield* opening
      person.send({ type: "camera", on: true })
      assert.isNull(person.closeCode())
    }))

  const floods: ReadonlyArray<readonly [string, string | Uint8Array]> = [
    ["sound", new Uint8Array(64_000)],
    ["keys", JSON.stringify({ type: "key", digit: "1" })]
  ]
  for (const [name, frame] of floods) {
    inVirtualTime(`by a flood of ${name} is closed, and the flood reaches nobody`, () =>
      Effect.gen(function*() {
        const { opening, pair, person } = yield* callFromBrowser()
        const { line } = yield* opening
        let events = 0
        line.hear(() => events++)
        for (let count = 0; count < 5_000; count++) pair.client.send(frame)
        assert.deepStrictEqual(errorOf(person), ["too_fast", 1008])
        assert.isBelow(events, 1_100)
      }))
  }

  inVirtualTime("by not reading is cut, so that its sound does not pile up", () =>
    Effect.gen(function*() {
      const { opening, pair, person } = yield* callFromBrowser()
      const { line, tell } = yield* opening
      pair.waiting = 300_000
      tell({ _tag: "State", state: "speaking" })
      assert.notInclude(typesOf(person.messages), "state")
      pair.waiting = 2_000_000
      line.play(tone)
      assert.strictEqual(person.closeCode(), 1000)
    }))

  inVirtualTime("by staying for ever is ended at the limit of its token", () =>
    Effect.gen(function*() {
      const { opening, person } = yield* callFromBrowser({ limitMillis: 30_000 })
      const { line } = yield* opening
      line.hear(() => {})
      yield* Effect.sleep("31 seconds")
      assert.strictEqual(textAt(person.messages.at(-1), "by"), "timeout")
    }))
})
