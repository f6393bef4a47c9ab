import { CarrierHttp, connectionSettings as httpSettings } from "@trunkline/carrier-http"
import { CarrierSip, connectionSettings as sipSettings } from "@trunkline/carrier-sip"
import { Connection } from "@trunkline/telephony"
import { Either, Schema } from "effect"
import type { Environment } from "./Settings.js"

const simulated = "simulator"

/** A connection of one of the carriers here. */
export const PhoneLine = Schema.Struct({
  ...Connection.fields,
  provider: Schema.Literal(simulated, CarrierHttp.provider, CarrierSip.provider)
})
export type PhoneLine = typeof PhoneLine.Type

/** True for lines of the simulated network. */
export const isSimulated = ({ provider }: PhoneLine): boolean => provider === simulated

/** Reads the options of a connection; on the left, one line for each problem. */
const settingsOf = (
  connection: PhoneLine,
  environment: Environment
): Either.Either<unknown, ReadonlyArray<string>> => {
  switch (connection.provider) {
    case "simulator":
      return Either.right(null)
    case "http":
      return httpSettings(connection, environment)
    case "sip":
      return sipSettings(connection, environment)
  }
}

/** Problems with the phone lines of a bootstrap file, one line each. */
export const lineProblems = (
  connections: ReadonlyArray<PhoneLine>,
  environment: Environment
): ReadonlyArray<string> =>
  connections.flatMap((connection, index) =>
    Either.match(settingsOf(connection, environment), {
      onLeft: (problems) => problems.map((problem) => `connections.${index}.${problem}`),
      onRight: () => []
    })
  )
