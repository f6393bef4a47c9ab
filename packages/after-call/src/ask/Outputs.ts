import { outputTypeOf, type OutputVariable, readOutput } from "@trunkline/agents"
import type { Extraction, Variables, VariableValue } from "@trunkline/kernel"
import { Either } from "effect"

/** Output variables of a call, with what has set each. */
export interface Outputs {
  readonly output_variables: Variables
  readonly variables: Extraction["variables"]
}

/** Value that the call has set, where it fits the type; null otherwise. */
const setByCall = (output: OutputVariable, call: Variables): VariableValue =>
  Object.hasOwn(call, output.name)
    ? Either.getOrElse(readOutput(output, call[output.name]), () => null)
    : null

/** The output variables without a value of their type from the call. */
export const missingOutputs = (
  outputs: ReadonlyArray<OutputVariable>,
  call: Variables
): ReadonlyArray<OutputVariable> => outputs.filter((output) => setByCall(output, call) === null)

/**
 * The output variables of a call. A value that the call has set wins, since the agent had it from the caller and could ask again;
 * one that does not fit its type, or is null, gives way to that of the model.
 */
export const mergeOutputs = (
  outputs: ReadonlyArray<OutputVariable>,
  { call, model }: {
    /** Values of the call. */
    readonly call: Variables
    /** Values of the model, in their types. */
    readonly model: Variables
  }
): Outputs => {
  const entries = outputs.map((output) => {
    const live = setByCall(output, call)
    const fromModel = Object.hasOwn(model, output.name) ? model[output.name] ?? null : null
    const source = live !== null ? "call" : fromModel !== null ? "model" : null
    return { name: output.name, type: outputTypeOf(output), source, value: live ?? fromModel } as const
  })
  return {
    output_variables: Object.fromEntries(entries.map(({ name, value }) => [name, value])),
    variables: entries.map(({ value: _, ...variable }) => variable)
  }
}
