import { CarrierHttp, connectionSettings } from "@trunkline/carrier-http"
import { Connection } from "@trunkline/telephony"
import { Either, Schema } from "effect"
import type { Environment } from "./Settings.js"

const simulated = "simulator"

/** A connection of one of the carriers here. */
export const PhoneLine = Schema.Struct({
  ...Connection.fields,
  provider: Schema.Literal(simulated, CarrierHttp.provider)
})
export type PhoneLine = typeof PhoneLine.Type

/** True for lines of the simulated network. */
export const isSimulated = ({ provider }: PhoneLine): boolean => provider === simulated

/** Problems with the phone lines of a bootstrap file, one line each. */
export const lineProblems = (
  connections: ReadonlyArray<PhoneLine>,
  environment: Environment
): ReadonlyArray<string> =>
  connections.flatMap((connection, index) =>
    isSimulated(connection) ? [] : Either.match(connectionSettings(connection, environment), {
      onLeft: (problems) => problems.map((problem) => `connections.${index}.${problem}`),
      onRight: () => []
    })
  )
