import { createRequire } from "node:module"

/** A tensor of the runtime. */
export interface Tensor {
  readonly data: unknown
}

/** A model that the runtime has loaded. */
export interface OnnxModel {
  readonly inputNames: ReadonlyArray<string>
  readonly outputNames: ReadonlyArray<string>
  readonly run: (feeds: Readonly<Record<string, Tensor>>) => Promise<Readonly<Record<string, Tensor>>>
}

/** The part of `onnxruntime-node` (1.22 to 1.30) that this package uses. */
export interface OnnxRuntime {
  readonly InferenceSession: { readonly create: (path: string, options: object) => Promise<OnnxModel> }
  readonly Tensor: new(type: string, data: Float32Array | BigInt64Array, dims: ReadonlyArray<number>) => Tensor
}

/** The file is no model that this package can use; the message says what it is. */
export class ForeignModel extends Error {}

const isRuntime = (value: unknown): value is OnnxRuntime =>
  typeof value === "object" && value !== null && "InferenceSession" in value && "Tensor" in value

/** Numbers of a tensor; none if it has others. */
export const numbersOf = (tensor: Tensor | undefined): Float32Array =>
  tensor?.data instanceof Float32Array ? tensor.data : new Float32Array()

/** Loads a model on one thread, with the runtime at a path. Rejects with `ForeignModel` for a file that is no model. */
export const loadModel = async (
  runtimePath: string,
  modelPath: string
): Promise<{ readonly model: OnnxModel; readonly Tensor: OnnxRuntime["Tensor"] }> => {
  const runtime: unknown = createRequire(import.meta.url)(runtimePath)
  if (!isRuntime(runtime)) throw new TypeError("onnxruntime-node has another shape")
  const model = await runtime.InferenceSession.create(modelPath, {
    executionProviders: ["cpu"],
    executionMode: "sequential",
    interOpNumThreads: 1,
    intraOpNumThreads: 1,
    logSeverityLevel: 3
  }).catch(() => {
    throw new ForeignModel("is not a model that onnxruntime can read")
  })
  return { model, Tensor: runtime.Tensor }
}

/** A message for a model with other inputs than expected. */
export const foreignInputs = ({ inputNames }: OnnxModel): ForeignModel =>
  new ForeignModel(`is another model, with the inputs ${inputNames.join(", ").slice(0, 100)}`)
