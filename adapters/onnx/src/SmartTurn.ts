import { TurnModel } from "@trunkline/turn-taking"
import { Effect, Either, Layer, Runtime } from "effect"
import { resolve } from "node:path"
import { findModelFiles, foldersFrom, type ModelFileUnavailable } from "./ModelFiles.js"
import { startModelThread } from "./ModelThread.js"
import type { SmartTurnRequest } from "./SmartTurnQueue.js"
import { heardSeconds } from "./SmartTurnSession.js"
import { makeTurnSound } from "./TurnSound.js"

/** Options of Smart Turn. */
export interface SmartTurnOptions {
  /** Path of the model, version 3: `smart-turn-v3.2-cpu.onnx` of `pipecat-ai/smart-turn-v3` on Hugging Face (8.7 MB, BSD-2). */
  readonly model: string
  /** Folder from which `onnxruntime-node` is looked for first; that of this package, then the working directory. */
  readonly from?: string
}

const advice = "name smart-turn-v3.2-cpu.onnx, which Hugging Face has under pipecat-ai/smart-turn-v3"

/** Size of the smallest file that can be the model, in bytes: the known ones have 8.7 and 32 MB. */
const minSize = 1_000

const filesOf = ({ from, model }: SmartTurnOptions) =>
  findModelFiles({ name: "Smart Turn", path: resolve(model), minSize, advice, folders: foldersFrom(from) })

/**
 * Smart Turn, a model that hears by the melody of a voice whether a pausing caller has finished, in a worker thread of this process
 * through the optional peer `onnxruntime-node`. It is asked once a pause, about the last 8 seconds of the turn; the policy of
 * turn-taking gets its answer when it is there, and decides by words until then, and for good when the thread breaks, which is logged.
 *
 * @example
 * ```ts
 * const voicing = Layer.provide(TurnTaking.layer, SmartTurn.layer({ model: "/models/smart-turn-v3.2-cpu.onnx" }))
 * ```
 */
export const SmartTurn = {
  /** Why the model cannot start with these options, as far as files tell; null if it can. */
  problem: (options: SmartTurnOptions): string | null =>
    Either.match(filesOf(options), { onLeft: ({ message }) => message, onRight: () => null }),

  layer: (options: SmartTurnOptions): Layer.Layer<TurnModel, ModelFileUnavailable> =>
    Layer.scoped(
      TurnModel,
      Effect.gen(function*() {
        const files = yield* filesOf(options)
        const log = Runtime.runFork(yield* Effect.runtime())
        const thread = yield* startModelThread<SmartTurnRequest>({ ...files, kind: "smart-turn" }, {
          advice,
          onBroken: (kind) =>
            void log(Effect.logError("Smart Turn has broken; turns end by words and silence alone", kind))
        })
        return {
          open: ({ rate }) =>
            Effect.acquireRelease(
              Effect.sync(() => {
                const sound = makeTurnSound(rate, heardSeconds)
                let query = 0
                let answer: (completion: number) => void = () => undefined
                const call = thread.begin((question, [completion = Number.NaN]) => {
                  if (question === query) answer(completion)
                })
                return {
                  call,
                  judge: {
                    push: sound.push,
                    begin: sound.begin,
                    ask: (onAnswer: (completion: number) => void) => {
                      answer = onAnswer
                      thread.ask({ call, rate, query: ++query, sound: sound.copy() })
                    }
                  }
                }
              }),
              ({ call }) => Effect.sync(() => thread.end(call))
            ).pipe(Effect.map(({ judge }) => judge))
        }
      })
    )
} as const
