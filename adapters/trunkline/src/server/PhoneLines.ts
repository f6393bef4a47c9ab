import { CarrierHttp, connectionSettings as httpSettings } from "@trunkline/carrier-http"
import { phoneLengthProblem } from "@trunkline/kernel"
import { Connection } from "@trunkline/telephony"
import { Either, Option, Schema } from "effect"
import { hostedProviders } from "../assembly/HostedProviders.js"
import type { Environment } from "./ConfigFields.js"

const simulated = "simulator"

/** A connection of one of the carriers here. */
export const PhoneLine = Schema.Struct({
  ...Connection.fields,
  provider: Schema.Literal(simulated, CarrierHttp.provider, "sip", ...hostedProviders)
})
export type PhoneLine = typeof PhoneLine.Type

/** True for lines of the simulated network. */
export const isSimulated = ({ provider }: PhoneLine): boolean => provider === simulated

/** Reads the options of a connection; on the left, one line for each problem. Carriers are loaded for their own connections only. */
const settingsOf = async (
  connection: PhoneLine,
  environment: Environment
): Promise<Either.Either<unknown, ReadonlyArray<string>>> => {
  switch (connection.provider) {
    case "simulator":
      return Either.right(null)
    case "http":
      return httpSettings(connection, environment)
    case "sip": {
      const { connectionSettings } = await import("@trunkline/carrier-sip")
      return connectionSettings(connection, environment)
    }
    default: {
      const { connectionSettings } = await import("@trunkline/carrier-media-websocket")
      return connectionSettings(connection, environment)
    }
  }
}

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
    connections.map(async (connection) =>
      Option.getOrElse(Either.getLeft(await settingsOf(connection, environment)), () => [])
    )
  )
  return connections.flatMap((connection, index) =>
    [...numberProblems(connection), ...lines[index] ?? []].map((problem) => `connections.${index}.${problem}`)
  )
}
