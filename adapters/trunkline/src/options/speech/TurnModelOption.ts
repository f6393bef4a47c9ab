/** Options of Smart Turn. */
export interface SmartTurnOptions {
  /** Path of the model, version 3: `smart-turn-v3.2-cpu.onnx` of `pipecat-ai/smart-turn-v3` on Hugging Face. */
  readonly model: string
}

/** A model that hears whether a pausing caller has finished, by its provider: the result of `smartTurn`. */
export interface ProvidedTurnModel {
  readonly provider: "smart-turn"
  readonly options: SmartTurnOptions
}

/**
 * Smart Turn in a worker thread: it hears by the melody of a voice whether a pausing caller has finished. It needs a file with the
 * model and the package `onnxruntime-node`: `npm i onnxruntime-node`.
 */
export const smartTurn = (options: SmartTurnOptions): ProvidedTurnModel => ({ provider: "smart-turn", options })
