import { CarrierHttp, connectionSettings } from "@trunkline/carrier-http"
import { Carriers, Connection, SimulatedNetwork, type SimulatorOptions } from "@trunkline/telephony"
import { Effect, Either, Layer, Schema } from "effect"
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

/** The carriers of the phone lines: the simulated network, and providers behind HTTP. */
export const carriersOf = (simulator: SimulatorOptions) =>
  Effect.gen(function*() {
    const { carrier } = yield* SimulatedNetwork
    return Carriers.layerOf([carrier, yield* CarrierHttp.make(process.env)])
  }).pipe(Layer.unwrapScoped, Layer.provideMerge(SimulatedNetwork.layer(simulator)))
