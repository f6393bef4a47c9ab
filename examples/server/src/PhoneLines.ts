import { CarrierHttp, lineSettings } from "@trunkline/carrier-http"
import { Carriers, Connection, SimulatedNetwork } from "@trunkline/telephony"
import { Effect, Either, Layer, Schema } from "effect"
import type { Bootstrap, Environment } from "./Bootstrap.js"

const simulated = "simulator"

/** A connection of one of the carriers here. */
export const PhoneLine = Schema.Struct({
  ...Connection.fields,
  provider: Schema.Literal(simulated, CarrierHttp.provider)
})
export type PhoneLine = typeof PhoneLine.Type

/** Whether no phone rings. */
export const isSimulated = ({ provider }: PhoneLine): boolean => provider === simulated

/** What is wrong with the phone lines of a bootstrap file, a line for each problem. */
export const lineProblems = (
  { connections }: Pick<Bootstrap, "connections">,
  environment: Environment
): ReadonlyArray<string> =>
  connections.flatMap((connection, index) =>
    isSimulated(connection) ? [] : Either.match(lineSettings(connection, environment), {
      onLeft: (problems) => problems.map((problem) => `connections.${index}.${problem}`),
      onRight: () => []
    })
  )

/** The carriers of the phone lines: the simulated network, and whoever is behind HTTP. */
export const carriersOf = (simulator: Bootstrap["simulator"]) =>
  Effect.gen(function*() {
    const { carrier } = yield* SimulatedNetwork
    return Carriers.layerOf([carrier, yield* CarrierHttp.make(process.env)])
  }).pipe(Layer.unwrapScoped, Layer.provideMerge(SimulatedNetwork.layer(simulator)))
