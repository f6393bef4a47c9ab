import { assert, describe } from "@effect/vitest"
import { ModelTimedOut } from "@trunkline/errors"
import { BusinessTime, findOne } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Listener, modemTranscriber, modemVoice, soundOf, Transcriber } from "@trunkline/speech"
import {
  AttemptStore,
  type Carrier,
  Carriers,
  CreateOutbound,
  hearAnnouncement,
  makeEarlySound,
  NotAnswered
} from "@trunkline/telephony"
import { Effect, Layer, Logger, LogLevel, Option, Schema, Stream } from "effect"
import { Engine, type MemoryOptions, memoryParts } from "../../src/index.js"
import { agents, mondayMorning, scope } from "../Fixtures.js"

const line = "+911140000001"
const connections = [{ connection_id: "line", provider: "exchange", phone_numbers: [line] }]

const outbound = Schema.decodeUnknownSync(CreateOutbound)({
  app_config: {
    app_id: "collections",
    app_version: 1,
    connection_config: { connection_id: "line", agent_phone_number: line }
  },
  user_config: { user_phone_number: "9876543210" }
})

/** An exchange that plays an announcement, and ends each call without a cause. */
const exchange = (samples: Float32Array): Carrier => ({
  provider: "exchange",
  protocol: "simulated",
  dedupe: () => ({ _tag: "None" }),
  place: ({ wordsOf = () => Effect.succeed("") }) => {
    const sound = makeEarlySound(8_000)
    for (let at = 0; at + 160 <= samples.length; at += 160) sound.push(samples.subarray(at, at + 160), false)
    const answer = Effect.flatMap(
      hearAnnouncement(sound, wordsOf),
      (heard) => new NotAnswered({ status: "no_answer", reason: heard?.name ?? null })
    )
    return Effect.succeed({ provider_call_id: "call-1", answer, cancel: Effect.void })
  },
  lookup: () => Effect.succeed({ _tag: "NotFound" }),
  offers: Stream.empty
})

/** The reason of a call to a phone that is switched off, and the seconds that it took, with the ears of an engine. */
const reasonWith = (ears: Pick<MemoryOptions, "listener" | "transcriber">) =>
  Effect.gen(function*() {
    const sound = yield* Effect.provide(soundOf("The number you are calling is switched off."), modemVoice())
    const parts = Layer.merge(
      memoryParts({ agents, connections, seed: "announcements", ...ears }),
      Carriers.layerOf([exchange(sound)])
    )
    return yield* Effect.gen(function*() {
      const { outbounds } = yield* Engine
      const attempt_id = yield* outbounds.start(scope, outbound)
      yield* BusinessTime.sleep("1 minute")
      const { attempted_at, result } = Option.getOrThrow(yield* findOne((yield* AttemptStore).findMany, attempt_id))
      assert.strictEqual(result?.connectivity_status, "no_answer")
      assert.isNull(result?.interaction)
      return {
        reason: result?.failure_reason,
        seconds: Math.round(((result?.finished_at ?? 0) - attempted_at) / 1_000)
      }
    }).pipe(Effect.provide(Engine.layer().pipe(Layer.provideMerge(parts))))
  })

const transcriberOf = (transcribe: Transcriber["Type"]["transcribe"]) =>
  Layer.succeed(Transcriber, { available: true, transcribe })

const heard = { reason: "switched off", seconds: 0 }
const nothing = { reason: null, seconds: 0 }

const test = (name: string, body: () => Effect.Effect<void, unknown>) =>
  virtualTest(name, () => Effect.provide(body(), Logger.minimumLogLevel(LogLevel.None)), { start: mondayMorning })

describe("an announcement before the answer", () => {
  test("is heard by the engine's transcriber", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* reasonWith({ transcriber: modemTranscriber }), heard)
    }))

  test("is heard by a live listener, which gets it second by second", () =>
    Effect.gen(function*() {
      const { transcribe } = yield* Effect.provide(Transcriber, modemTranscriber)
      const pushed: Array<number> = []
      const listener = Layer.succeed(Listener, {
        open: ({ rate }) =>
          Effect.sync(() => {
            let samples: ReadonlyArray<number> = []
            return {
              push: (portion) => {
                pushed.push(portion.length / rate)
                samples = [...samples, ...portion]
              },
              partials: Stream.empty,
              flush: Effect.suspend(() => transcribe({ rate, samples: Float32Array.from(samples) }, { language: null }))
            }
          })
      })
      assert.deepStrictEqual(yield* reasonWith({ listener }), heard)
      assert.isAbove(pushed.length, 2)
      assert.isAtMost(Math.max(...pushed), 1)
    }))

  test("tells nothing where the engine has no ear, or one that fails", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* reasonWith({}), nothing)
      const failing = transcriberOf(() => new ModelTimedOut({ message: "too late" }))
      assert.deepStrictEqual(yield* reasonWith({ transcriber: failing }), nothing)
    }))

  test("is given up after 15 seconds of a transcriber that hangs", () =>
    Effect.gen(function*() {
      const { reason, seconds } = yield* reasonWith({ transcriber: transcriberOf(() => Effect.never) })
      assert.isNull(reason)
      assert.strictEqual(seconds, 15)
    }))
})
