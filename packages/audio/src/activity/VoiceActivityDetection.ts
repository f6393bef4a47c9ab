import { Context, Effect, Layer, type Scope } from "effect"
import { makeVoiceActivityDetector, type VoiceActivityDetector } from "./VoiceActivity.js"

export declare namespace VoiceActivityDetection {
  /** Finds out who speaks on calls. */
  export interface Service {
    /**
     * Opens a detector for the sound of one call, at a rate in hertz; what it needs is freed with the scope. It never fails:
     * one that breaks during a call goes on by energy alone.
     */
    readonly open: (call: { readonly rate: number }) => Effect.Effect<VoiceActivityDetector, never, Scope.Scope>
  }
}

const byEnergy: VoiceActivityDetection.Service = {
  open: ({ rate }) => Effect.sync(() => makeVoiceActivityDetector({ rate }))
}

/** Detection of speech on calls with sound: by energy alone (`makeVoiceActivityDetector`) unless another one is provided. */
export class VoiceActivityDetection extends Context.Reference<VoiceActivityDetection>()(
  "@trunkline/audio/VoiceActivityDetection",
  { defaultValue: (): VoiceActivityDetection.Service => byEnergy }
) {
  /** Detection by energy, as it is without any layer. */
  static readonly layerEnergy: Layer.Layer<VoiceActivityDetection> = Layer.succeed(this, byEnergy)
}
