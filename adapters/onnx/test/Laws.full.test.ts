import { voiceActivityLaws } from "@trunkline/audio/testing"
import { VadSilero } from "@trunkline/onnx"
import { Effect } from "effect"
import { describe } from "vitest"
import { canHear, from, sentenceAt, skippedWithout } from "./Model.js"

const sentences = canHear
  ? new Map([[8_000, sentenceAt(8_000)], [16_000, sentenceAt(16_000)]])
  : new Map<number, Float32Array>()

const voiceAt = (rate: number): Float32Array => sentences.get(rate) ?? new Float32Array()

// The thread answers within a frame of real time.
const settle = Effect.sleep("8 millis")

describe.runIf(canHear)(`Silero's detector, ${skippedWithout}`, () => {
  voiceActivityLaws("energy with Silero", VadSilero.layer({ from }), { settle, voiceAt })
  voiceActivityLaws("energy with a model that never answers in time", VadSilero.layer({ from }), { voiceAt })
})
