import { foreignInputs, ForeignModel, loadModel, numbersOf } from "./OnnxRuntime.js"
import { isSileroRate, type SileroRate, windowSizes } from "./SileroWindows.js"

/** Numbers of the model's memory of a call, and of its two layers. */
export const stateSize = 256
const layers = 2
const layerSize = stateSize / layers

/** One window, with the memory of its call; `state` is changed. */
export interface SileroInput {
  readonly window: Float32Array
  readonly state: Float32Array
}

/** A loaded model. */
export interface SileroSession {
  /** Probabilities of a voice in windows of different calls at one rate; what each call heard is noted in its state. */
  readonly run: (rate: SileroRate, inputs: ReadonlyArray<SileroInput>) => Promise<ReadonlyArray<number>>
}

const sameNames = (names: ReadonlyArray<string>, expectedText: string): boolean =>
  names.toSorted().join() === expectedText

/** Loads a model with the runtime at a path. Rejects with `ForeignModel` for another kind of file. */
export const openSession = async (runtimePath: string, modelPath: string): Promise<SileroSession> => {
  const { model: session, Tensor } = await loadModel(runtimePath, modelPath)
  const { inputNames, outputNames } = session
  if (sameNames(inputNames, "c,h,input,sr")) throw new ForeignModel("is version 4 of the model")
  if (!sameNames(inputNames, "input,sr,state") || !sameNames(outputNames, "output,stateN")) {
    throw foreignInputs(session)
  }
  return {
    run: async (rate, inputs) => {
      const count = inputs.length
      const { context, window } = windowSizes(rate)
      const sound = new Float32Array(count * (context + window))
      const states = new Float32Array(count * stateSize)
      const placeOf = (index: number, layer: number) => (layer * count + index) * layerSize
      inputs.forEach((input, index) => {
        sound.set(input.window, index * (context + window))
        for (let layer = 0; layer < layers; layer++) {
          states.set(input.state.subarray(layer * layerSize, (layer + 1) * layerSize), placeOf(index, layer))
        }
      })
      const { output, stateN } = await session.run({
        input: new Tensor("float32", sound, [count, context + window]),
        state: new Tensor("float32", states, [layers, count, layerSize]),
        sr: new Tensor("int64", BigInt64Array.of(BigInt(rate)), [])
      })
      const next = numbersOf(stateN)
      inputs.forEach(({ state }, index) => {
        for (let layer = 0; layer < layers; layer++) {
          const from = placeOf(index, layer)
          state.set(next.subarray(from, from + layerSize), layer * layerSize)
        }
      })
      return Array.from(numbersOf(output))
    }
  }
}

/** Runs a loaded model once at each rate: a file that only looks like the model fails here. */
export const trySession = async (session: SileroSession): Promise<void> => {
  for (const rate of [8_000, 16_000].filter(isSileroRate)) {
    const { context, window } = windowSizes(rate)
    const [silence] = await session.run(rate, [
      { window: new Float32Array(context + window), state: new Float32Array(stateSize) }
    ])
    if (silence === undefined || !(silence >= 0 && silence < 0.5)) {
      throw new ForeignModel("is another model: it hears a voice in silence")
    }
  }
}
