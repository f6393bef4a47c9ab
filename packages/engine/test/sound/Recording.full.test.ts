import { assert, describe } from "@effect/vitest"
import { FileStore } from "@trunkline/cohorts"
import { virtualTest } from "@trunkline/kernel/testing"
import { Effect, Layer, Option, Stream } from "effect"
import { memoryParts } from "../../src/index.js"
import { mondayMorning, scope } from "../Fixtures.js"
import { recordedCall, restaurant, type Talk, wait, wordsOf } from "./RecordedCall.js"

const booking = ({ ended, say }: Talk) =>
  Effect.gen(function*() {
    yield* wait(4_000)
    yield* say("I would like to book a table.")
    yield* wait(5_000)
    yield* say("No, bye.")
    yield* ended
  })

describe("the recording of a call with sound", () => {
  virtualTest(
    "has the caller left and the agent right, from the first word to the last, and a path in the record",
    () =>
      Effect.gen(function*() {
        const { bytes, detail, id, item } = yield* recordedCall(restaurant({ recordCalls: true }), booking)
        const wav = bytes ?? assert.fail("nothing was recorded")
        assert.strictEqual(yield* wordsOf(wav, 0), "I would like to book a table. No, bye.")
        assert.strictEqual(
          yield* wordsOf(wav, 1),
          "Hello, this is the restaurant. For how many people shall I book the table? Goodbye, see you tonight."
        )
        assert.strictEqual(
          item?.audio_url,
          `/analytics/v1/${scope.org_id}/${scope.workspace_id}/collections/recordings/${id}`
        )
        assert.deepInclude(detail?.recording, { status: "kept", reason: null })
        const seconds = (wav.length - 58) / 16_000
        assert.closeTo(seconds, detail?.duration_in_seconds ?? 0, 0.3)
        assert.closeTo(detail?.recording?.seconds ?? 0, seconds, 0.001)
      }),
    { start: mondayMorning }
  )

  virtualTest("is not made unless somebody asks for it", () =>
    Effect.gen(function*() {
      const { bytes, detail } = yield* recordedCall(restaurant(undefined), booking)
      assert.isNull(bytes)
      assert.isNull(detail?.audio_url ?? null)
      assert.isUndefined(detail?.recording)
    }), { start: mondayMorning })

  virtualTest("follows a notice, which is the first turn of the transcript", () =>
    Effect.gen(function*() {
      const options = restaurant({}, { recording: { notice: "This call is recorded." } })
      const { bytes, detail } = yield* recordedCall(options, ({ ended, say }) =>
        Effect.zipRight(wait(6_000), Effect.zipRight(say("No, bye."), ended)))
      assert.strictEqual(detail?.transcript?.messages[0]?.en_text, "This call is recorded.")
      const words = yield* wordsOf(bytes ?? assert.fail("nothing was recorded"), 1)
      assert.isTrue(words.startsWith("This call is recorded. Hello, this is the restaurant."), words)
    }), { start: mondayMorning })

  virtualTest("keeps nothing when the host does not allow it, or cannot be asked", () =>
    Effect.gen(function*() {
      for (const mayRecord of [() => Effect.succeed(false), () => Effect.die("away")]) {
        const { bytes, detail } = yield* recordedCall(restaurant({ recordCalls: true, mayRecord }), ({ ended, say }) =>
          Effect.zipRight(wait(10_000), Effect.zipRight(say("No, bye."), ended)))
        assert.isNull(bytes)
        assert.deepInclude(detail?.recording, { status: "refused", seconds: 0 })
      }
    }), { start: mondayMorning })

  virtualTest("begins with the caller's consent, and before it there is silence", () =>
    Effect.gen(function*() {
      const options = restaurant({}, { recording: { consent: "ask" } })
      const { bytes, detail } = yield* recordedCall(options, (talk) =>
        Effect.gen(function*() {
          yield* wait(4_000)
          yield* talk.say("You may record this.")
          yield* wait(3_000)
          yield* talk.say("No, bye.")
          yield* talk.ended
        }))
      const wav = bytes ?? assert.fail("nothing was recorded")
      assert.strictEqual(yield* wordsOf(wav, 0), "No, bye.")
      assert.isTrue(wav.subarray(58, 58 + 3 * 16_000).every((code) => code === 0xFF))
      assert.closeTo((wav.length - 58) / 16_000, detail?.duration_in_seconds ?? 0, 0.3)
    }), { start: mondayMorning })

  virtualTest("leaves no file behind when nobody consented", () =>
    Effect.gen(function*() {
      const options = restaurant({}, { recording: { consent: "ask" } })
      const { bytes, detail } = yield* recordedCall(options, booking)
      assert.isNull(bytes)
      assert.deepStrictEqual(detail?.recording, {
        status: "refused",
        reason: "nobody consented during the call",
        seconds: 0
      })
    }), { start: mondayMorning })

  virtualTest("keeps its times while the caller holds the call", () =>
    Effect.gen(function*() {
      const { bytes, detail } = yield* recordedCall(restaurant({ recordCalls: true }), ({ ended, hold, say }) =>
        Effect.gen(function*() {
          yield* wait(4_000)
          hold(true)
          yield* wait(10_000)
          hold(false)
          yield* wait(1_000)
          yield* say("No, bye.")
          yield* ended
        }))
      const wav = bytes ?? assert.fail("nothing was recorded")
      assert.closeTo((wav.length - 58) / 16_000, detail?.duration_in_seconds ?? 0, 0.3)
    }), { start: mondayMorning })

  virtualTest(
    "is dropped with a reason when its files cannot be written, and the call goes on",
    () =>
      Effect.gen(function*() {
        const options = restaurant({ recordCalls: true })
        const full = Layer.effect(
          FileStore,
          Effect.map(FileStore, (files) =>
            FileStore.of({
              ...files,
              append: (key, bytes) =>
                bytes.at > 0 || files.append === undefined
                  ? Effect.die(Object.assign(new Error("no space left on device"), { code: "ENOSPC" }))
                  : files.append(key, bytes)
            }))
        )
        const parts = memoryParts(options)
        const broken = Layer.merge(parts, Layer.provide(full, parts))
        const { bytes, detail } = yield* recordedCall(options, booking, broken)
        assert.strictEqual(detail?.ended_by, "AGENT_ENDS")
        assert.deepStrictEqual(detail?.recording, {
          status: "partial",
          reason: "the file store failed (ENOSPC)",
          seconds: 5
        })
        assert.lengthOf(bytes ?? [], 58 + 5 * 16_000)
      }),
    { start: mondayMorning }
  )

  virtualTest("is read in ranges, and removed with all of its files", () =>
    Effect.gen(function*() {
      const { found, id, recordings } = yield* recordedCall(restaurant({ recordCalls: true }), booking)
      assert.strictEqual(found._tag, "Right")
      const part = yield* Stream.runFold(
        (yield* Effect.orDie(recordings.find(scope, id)).pipe(Effect.map(Option.getOrThrow))).read({ from: 8, to: 12 }),
        "",
        (text, bytes) => text + new TextDecoder().decode(bytes)
      )
      assert.strictEqual(part, "WAVE")
      yield* recordings.remove(scope, id)
      assert.isTrue(Option.isNone(yield* recordings.find(scope, id)))
    }), { start: mondayMorning })
})
