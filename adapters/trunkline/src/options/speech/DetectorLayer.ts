import type { VoiceActivityDetection } from "@trunkline/audio"
import { Effect, Layer } from "effect"
import type { Fields } from "../../errors/Fields.js"
import { checkKnown, InvalidOption } from "../InvalidOption.js"
import type { ProvidedDetector, SileroOptions } from "./VoiceOptions.js"

const sileroOptions: Fields<SileroOptions> = { model: true, always: true }

/** Silero's detector; its package is loaded only here. */
export const sileroLayer = (options: SileroOptions): Layer.Layer<VoiceActivityDetection, Error> =>
  Layer.unwrapEffect(
    Effect.map(Effect.promise(() => import("@trunkline/onnx")), ({ VadSilero }) => VadSilero.layer(options))
  )

/** The layer of a detector of speech. Throws `InvalidOption`. */
export const detectorLayer = (
  { options = {}, provider }: ProvidedDetector
): Layer.Layer<VoiceActivityDetection, Error> => {
  if (provider !== "silero") {
    throw new InvalidOption("detector", `there is no provider "${String(provider)}"; there is silero`)
  }
  checkKnown(options, sileroOptions, "detector")
  const { always, model } = options
  if (model !== undefined && (typeof model !== "string" || model === "")) {
    throw new InvalidOption("detector.model", "must be the path of a file")
  }
  if (always !== undefined && typeof always !== "boolean") {
    throw new InvalidOption("detector.always", "must be true or false")
  }
  return sileroLayer(options)
}
