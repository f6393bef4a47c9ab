import { type OutputVariable, readOutput } from "@trunkline/agents"
import type { Variables, VariableValue } from "@trunkline/kernel"
import { Either } from "effect"

/** Values that a model writes down during a call, in the types of their output variables, and what is wrong with the others. */
export const readOutputs = (
  outputs: ReadonlyArray<OutputVariable>,
  values: ReadonlyArray<readonly [name: string, value: VariableValue]>
): { readonly variables: Variables; readonly problems: ReadonlyArray<string> } => {
  const variables: Record<string, VariableValue> = {}
  const problems: Array<string> = []
  for (const [name, value] of values) {
    const output = outputs.find((one) => one.name === name)
    const read = output === undefined || output.type === undefined ? Either.right(value) : readOutput(output, value)
    if (Either.isRight(read)) variables[name] = read.right
    else problems.push(`${name} ${read.left}.`)
  }
  return { variables, problems }
}
