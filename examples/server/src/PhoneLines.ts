import { CarrierHttp, lineSettings } from "@trunkline/carrier-http"
import { Carriers, type Connection, SimulatedNetwork } from "@trunkline/telephony"
import { Effect, Either, Layer } from "effect"
import type { Bootstrap, Environment } from "./Bootstrap.js"

const simulated = "simulator"

/** Whether no phone rings. */
export const isSimulated = ({ provider }: Connection): boolean => provider === simulated

/** What is wrong with the phone lines of a bootstrap file, a line for each problem. */
export const lineProblems = (
  { connections }: Pick<Bootstrap, "connections">,
  environment: Environment
): ReadonlyArray<string> =>
  connections.flatMap((connection, index) => {
    const problems = (lines: ReadonlyArray<string>) => lines.map((line) => `connections.${index}.${line}`)
    switch (connection.provider) {
      case simulated:
        return []
      case CarrierHttp.provider:
        return problems(
          Either.match(lineSettings(connection, environment), { onLeft: (all) => all, onRight: () => [] })
        )
      default:
        return problems([
          `provider: There is no carrier of this name here; use ${simulated} or ${CarrierHttp.provider}`
        ])
    }
  })

/** The carriers of the phone lines: the simulated network, and whoever is behind HTTP. */
export const carriersOf = (simulator: Bootstrap["simulator"]) =>
  Effect.gen(function*() {
    const { carrier } = yield* SimulatedNetwork
    return Carriers.layerOf([carrier, yield* CarrierHttp.make(process.env)])
  }).pipe(Layer.unwrapScoped, Layer.provideMerge(SimulatedNetwork.layer(simulator)))
