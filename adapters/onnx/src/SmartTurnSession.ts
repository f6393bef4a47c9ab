import { concatSamples, makeResampler } from "@trunkline/audio"
import { logMel, melBands, melRate } from "./LogMel.js"
import { foreignInputs, ForeignModel, loadModel, numbersOf } from "./OnnxRuntime.js"

/** Seconds of sound that the model hears. */
export const heardSeconds = 8

const heardSamples = heardSeconds * melRate
const frames = heardSamples / 160

/** Sound at the rate of the model: the last 8 seconds, after silence if it is shorter. */
const atModelRate = (sound: Float32Array, rate: number): Float32Array => {
  const resampler = makeResampler({ from: rate, to: melRate })
  const resampledSamples = rate === melRate ? sound : concatSamples([resampler.push(sound), resampler.end()])
  const input = new Float32Array(heardSamples)
  const last = resampledSamples.subarray(Math.max(0, resampledSamples.length - heardSamples))
  input.set(last, heardSamples - last.length)
  return input
}

/** Sound with the mean 0 and the variance 1, as the model was trained on. */
const normalize = (sound: Float32Array): Float32Array => {
  const mean = sound.reduce((sum, sample) => sum + sample, 0) / sound.length
  const variance = sound.reduce((sum, sample) => sum + (sample - mean) ** 2, 0) / sound.length
  const scale = 1 / Math.sqrt(variance + 1e-7)
  return sound.map((sample) => (sample - mean) * scale)
}

/** A loaded model of turns. */
export interface SmartTurnSession {
  /** Probability that a turn with this sound is over. */
  readonly run: (sound: Float32Array, rate: number) => Promise<number>
}

/** Loads Smart Turn, version 3. Rejects with `ForeignModel` for another kind of file. */
export const openSmartTurn = async (runtimePath: string, modelPath: string): Promise<SmartTurnSession> => {
  const { model, Tensor } = await loadModel(runtimePath, modelPath)
  const [output] = model.outputNames
  if (model.inputNames.join() !== "input_features" || output === undefined) throw foreignInputs(model)
  return {
    run: async (sound, rate) => {
      const features = logMel(normalize(atModelRate(sound, rate)))
      const outputs = await model.run({ input_features: new Tensor("float32", features, [1, melBands, frames]) })
      return numbersOf(outputs[output])[0] ?? Number.NaN
    }
  }
}

/** Runs a loaded model on silence: a file that only looks like the model fails here. */
export const trySmartTurn = async ({ run }: SmartTurnSession): Promise<void> => {
  const completion = await run(new Float32Array(), melRate).catch(() => Number.NaN)
  if (!(completion >= 0 && completion <= 1)) {
    throw new ForeignModel("is another model: it gives no probability for 8 seconds of sound")
  }
}
