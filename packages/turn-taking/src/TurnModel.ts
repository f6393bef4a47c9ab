import { Context, Effect, Layer, type Scope } from "effect"

/** A model's view of one caller, who may be pausing or may have finished. All methods are synchronous and never throw. */
export interface TurnJudge {
  /** Takes the next frame of the line, also between turns: a model may need the sound just before a voice was found. */
  readonly push: (samples: Float32Array) => void
  /** A turn of the caller begins with the latest frame. */
  readonly begin: () => void
  /**
   * The caller pauses: asks how probable it is that the turn is over, from 0 to 1. `answer` is called at most once, now or
   * later; a judge that cannot tell does not call it.
   */
  readonly ask: (answer: (completion: number) => void) => void
}

export declare namespace TurnModel {
  /** Judges the pauses of calls. */
  export interface Service {
    /**
     * Opens a judge for the sound of one call, at a rate in hertz; what it needs is freed with the scope. Null for a call that the
     * model cannot judge, which is decided by words and silence alone.
     */
    readonly open: (call: { readonly rate: number }) => Effect.Effect<TurnJudge | null, never, Scope.Scope>
  }
}

const none: TurnModel.Service = { open: () => Effect.succeed(null) }

/**
 * Model that hears whether a pausing caller has finished, beside the rule by words: none unless one is provided. Its answers
 * reach the policy as `Pause.completion`.
 */
export class TurnModel extends Context.Reference<TurnModel>()("@trunkline/turn-taking/TurnModel", {
  defaultValue: (): TurnModel.Service => none
}) {
  /** A model that answers each pause with what a function makes of the sound of the turn, for tests. */
  static readonly layerOf = (completionOf: (sound: Float32Array, rate: number) => number): Layer.Layer<TurnModel> =>
    Layer.succeed(this, {
      open: ({ rate }) =>
        Effect.sync(() => {
          let frames: Array<Float32Array> = []
          return {
            begin: () => {
              frames = frames.slice(-1)
            },
            push: (samples) => void frames.push(samples.slice()),
            ask: (answer) => answer(completionOf(Float32Array.from(frames.flatMap((each) => [...each])), rate))
          }
        })
    })
}
