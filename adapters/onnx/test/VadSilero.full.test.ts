import { assert, describe, it } from "@effect/vitest"
import { VoiceActivityDetection } from "@trunkline/audio"
import { VadSilero, type VadSileroOptions } from "@trunkline/onnx"
import { Context, Effect, Layer } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { longestTurn } from "../../../test/setup/LongestTurn.js"
import { untilOnTime } from "../../../test/setup/OnTime.js"
import { findSileroFiles } from "../src/SileroFiles.js"
import { canHear, from, sentenceAt, skippedWithout } from "./Model.js"

const folder = mkdtempSync(join(tmpdir(), "silero-"))
afterAll(() => rmSync(folder, { recursive: true }))

const rate = 8_000

/** Noise that swells for half a second, with as much between the swells, at the level of speech: cars that pass. */
const cars = (() => {
  let [state, low] = [12_345, 0]
  return Float32Array.from({ length: 6 * rate }, (_, at) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    low = 0.9 * low + (state / 1_073_741_824 - 1)
    return at > rate && at % 8_000 < 4_000 ? 0.06 * low * Math.sin(Math.PI * (at % 8_000) / 4_000) : 0.0005 * low
  })
})()

/** Most voice within 300 ms that a detector finds, in real time. */
const mostVoiced = (samples: Float32Array, layer: Layer.Layer<VoiceActivityDetection, Error>) =>
  Effect.scoped(Effect.gen(function*() {
    const { open } = yield* VoiceActivityDetection
    const detector = yield* open({ rate })
    let most = 0
    for (let at = 0; at + 160 <= samples.length; at += 160) {
      detector.push(samples.subarray(at, at + 160))
      most = Math.max(most, detector.voicedMillis)
      yield* Effect.sleep("20 millis")
    }
    return most
  })).pipe(Effect.provide(layer))

const problemOf = (options: VadSileroOptions) =>
  Effect.map(
    Effect.flip(Layer.build(VadSilero.layer({ from, ...options })).pipe(Effect.scoped)),
    ({ message }) => message
  )

describe.runIf(canHear)(`Silero's detector, ${skippedWithout}`, () => {
  it.scopedLive("does not stop the agent for cars that pass, which energy does, and does for a voice", (context) =>
    untilOnTime(
      context,
      Effect.gen(function*() {
        const silero = VadSilero.layer({ from })
        assert.isAtLeast(yield* mostVoiced(cars, VoiceActivityDetection.layerEnergy), 200)
        assert.isBelow(yield* mostVoiced(cars, silero), 200)
        const sentence = sentenceAt(rate)
        assert.isAtLeast(yield* mostVoiced(new Float32Array([...new Float32Array(rate), ...sentence]), silero), 200)
      })
    ))

  it.live("says what a file is that is not the model", () =>
    Effect.gen(function*() {
      const foreign = join(folder, "foreign.onnx")
      writeFileSync(foreign, Buffer.alloc(200_000, 7))
      assert.include(yield* problemOf({ model: foreign }), "is not a model that onnxruntime can read")
      const known = findSileroFiles(undefined, [from])
      const older = known._tag === "Right" ? join(known.right.model, "../silero_vad_legacy.onnx") : ""
      assert.include(yield* problemOf({ model: older }), "is version 4 of the model: name silero_vad.onnx")
    }))

  it.scopedLive("leaves the event loop free while it loads and while it hears fifty calls", (context) =>
    untilOnTime(
      context,
      Effect.gen(function*() {
        const listening = Effect.scoped(Effect.gen(function*() {
          const layer = yield* Layer.build(VadSilero.layer({ from, always: true }))
          const { open } = Context.get(layer, VoiceActivityDetection)
          const calls = yield* Effect.forEach(Array.from({ length: 50 }), () => open({ rate }))
          for (let at = 0; at < cars.length / 3; at += 160) {
            for (const detector of calls) detector.push(cars.subarray(at, at + 160))
            yield* Effect.sleep("20 millis")
          }
        }))
        assert.isBelow(yield* longestTurn(listening), 50)
      })
    ))
})
