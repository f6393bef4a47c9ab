import { assert, describe, it } from "@effect/vitest"
import { SmartTurn } from "@trunkline/onnx"
import { TurnModel } from "@trunkline/turn-taking"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { logMel } from "../src/LogMel.js"
import { from } from "./Model.js"
import { smartTurnModel } from "./SmartTurnModel.js"

const folder = mkdtempSync(join(tmpdir(), "smart-turn-"))
afterAll(() => rmSync(folder, { recursive: true }))

const fileWith = (name: string, content: Buffer): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const model = fileWith("turns.onnx", smartTurnModel())
const problem = SmartTurn.problem({ model, from })

/** Probability for a turn of a sound that is heard in frames of 20 ms. */
const completionOf = (sound: Float32Array, rate = 8_000) =>
  Effect.gen(function*() {
    const { open } = yield* TurnModel
    const judge = yield* open({ rate })
    if (judge === null) return Number.NaN
    judge.begin()
    const frame = rate / 50
    for (let at = 0; at + frame <= sound.length; at += frame) judge.push(sound.subarray(at, at + frame))
    return yield* Effect.async<number>((resume) => judge.ask((completion) => resume(Effect.succeed(completion))))
  }).pipe(Effect.scoped)

const logistic = (value: number): number => 1 / (1 + Math.exp(-value))

/** The same by its definition, for sound at 16 kHz: after silence, and with the mean 0 and the variance 1. */
const expectedOf = (sound: Float32Array): number => {
  const heard = [...new Float32Array(Math.max(0, 128_000 - sound.length)), ...sound].slice(-128_000)
  const mean = heard.reduce((sum, sample) => sum + sample, 0) / heard.length
  const deviation = Math.sqrt(heard.reduce((sum, sample) => sum + (sample - mean) ** 2, 0) / heard.length)
  const features = logMel(Float32Array.from(heard, (sample) => (sample - mean) / deviation))
  return logistic(features.reduce((sum, feature) => sum + feature, 0) / features.length)
}

const problemOf = (path: string) =>
  Effect.map(
    Effect.flip(Effect.scoped(Layer.build(SmartTurn.layer({ model: path, from })))),
    ({ message }) => message
  )

describe.runIf(problem === null)(
  `Smart Turn, ${problem === null ? "with a model of its shape" : `skipped: ${problem}`}`,
  () => {
    it.live("gives the probability that the model gives for the features of the turn", () =>
      Effect.gen(function*() {
        assert.closeTo(yield* completionOf(new Float32Array()), logistic(-1.5), 1e-6, "a mean feature of silence")
        const tone = Float32Array.from({ length: 160_000 }, (_, at) => 0.3 * Math.sin(at * 0.5) * Math.sin(at / 9_000))
        for (const sound of [tone.subarray(0, 16_000), tone]) {
          assert.closeTo(yield* completionOf(sound, 16_000), expectedOf(sound), 1e-3, `${sound.length} samples`)
        }
      }).pipe(Effect.provide(SmartTurn.layer({ model, from }))))

    it.live("hears calls at any rate, many at once", () =>
      Effect.gen(function*() {
        const answers = yield* Effect.forEach(
          [8_000, 16_000, 24_000, 48_000],
          (rate) =>
            completionOf(Float32Array.from({ length: rate }, (_, at) => 0.3 * Math.sin(at * 4_000 / rate)), rate),
          {
            concurrency: "unbounded"
          }
        )
        for (const answer of answers) assert.closeTo(answer, answers[0] ?? Number.NaN, 0.02)
      }).pipe(Effect.provide(SmartTurn.layer({ model, from }))))

    it.live("says what a file is that is not the model", () =>
      Effect.gen(function*() {
        const foreign = fileWith("foreign.onnx", Buffer.alloc(2_000, 7))
        assert.include(
          yield* problemOf(foreign),
          "is not a model that onnxruntime can read: name smart-turn-v3.2-cpu.onnx"
        )
        const other = fileWith("other.onnx", smartTurnModel({ input: "input" }))
        assert.include(yield* problemOf(other), "is another model, with the inputs input")
        const unbounded = fileWith("unbounded.onnx", smartTurnModel({ probability: false }))
        assert.include(yield* problemOf(unbounded), "it gives no probability for 8 seconds of sound")
        assert.include(yield* problemOf(join(folder, "absent.onnx")), "cannot be read")
        assert.include(yield* problemOf(folder), "is not a file")
      }))
  }
)
