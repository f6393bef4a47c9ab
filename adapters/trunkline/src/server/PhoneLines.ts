import { phoneLengthProblem } from "@trunkline/kernel"
import { Connection } from "@trunkline/telephony"
import { Either, Schema } from "effect"
import { builtInProviders } from "../assembly/HostedProviders.js"
import { lineCheckOf } from "../assembly/LineSettings.js"
import type { Environment } from "./ConfigFields.js"

const simulator = "simulator"

/** A connection of one of the carriers here. */
export const PhoneLine = Schema.Struct({
  ...Connection.fields,
  provider: Schema.Literal(...builtInProviders)
})
export type PhoneLine = typeof PhoneLine.Type

/** True for lines of the simulated network. */
export const isSimulated = ({ provider }: PhoneLine): boolean => provider === simulator

/** Problems with the lengths of a line's numbers. */
const numberProblems = ({ phone_numbers }: PhoneLine): ReadonlyArray<string> =>
  phone_numbers.flatMap((number, index) => {
    const problem = phoneLengthProblem(number)
    return problem === null ? [] : [`phone_numbers.${index}: ${problem}`]
  })

/** Problems with the phone lines of a configuration file, one line each. */
export const lineProblems = async (
  connections: ReadonlyArray<PhoneLine>,
  environment: Environment
): Promise<ReadonlyArray<string>> => {
  const lines = await Promise.all(
    connections.map(async (connection) => {
      const settings = (await lineCheckOf(connection.provider))?.(connection, environment)
      return settings !== undefined && Either.isLeft(settings) ? settings.left : []
    })
  )
  return connections.flatMap((connection, index) =>
    [...numberProblems(connection), ...lines[index] ?? []].map((problem) => `connections.${index}.${problem}`)
  )
}
