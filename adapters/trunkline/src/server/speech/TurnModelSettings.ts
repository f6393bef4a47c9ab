import { Schema } from "effect"

/** Smart Turn, which hears whether a pausing caller has finished. It needs `onnxruntime-node` and a file with the model. */
export const TurnModelSettings = Schema.Struct({
  kind: Schema.Literal("smart-turn"),
  /** Path of `smart-turn-v3.2-cpu.onnx`. */
  model: Schema.NonEmptyString
})

/** Why a model of turns cannot start here, one line each. */
export const turnModelProblems = async (
  settings: typeof TurnModelSettings.Type | null
): Promise<ReadonlyArray<string>> => {
  if (settings === null) return []
  const { SmartTurn } = await import("@trunkline/onnx")
  const problem = SmartTurn.problem(settings)
  return problem === null ? [] : [`turn_model: ${problem}`]
}
