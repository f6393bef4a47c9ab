import { CarrierHttp } from "@trunkline/carrier-http"
import { type Carrier, Carriers, Connections, DialFailed, LookupFailed, SimulatedNetwork } from "@trunkline/telephony"
import { Effect, Layer, Stream } from "effect"
import type { SqliteEngineOptions } from "./LayerSqlite.js"

const notDialling = "This process does not dial"

/** The carrier of SIP lines in a process that does not dial: it opens none, so that trunks and phones find others. */
const closedLines: Carrier = {
  provider: "sip",
  protocol: "sip",
  dedupe: () => ({ _tag: "None" }),
  place: () => new DialFailed({ certainty: "provider", reason: notDialling }),
  lookup: () => new LookupFailed({ reason: notDialling }),
  offers: Stream.never
}

/** The carrier of SIP lines, which is only loaded where there are some. */
const sipCarriers = (environment: NonNullable<SqliteEngineOptions["environment"]>) =>
  Effect.gen(function*() {
    const connections = yield* (yield* Connections).all
    if (!connections.some(({ provider }) => provider === "sip")) return []
    const { CarrierSip } = yield* Effect.promise(() => import("@trunkline/carrier-sip"))
    return [yield* CarrierSip.make(environment)]
  })

/** The simulated network, the HTTP protocol, SIP, and the carriers of the host. */
export const carriersOf = ({ carriers = [], environment = process.env, roles, simulator = {} }: SqliteEngineOptions) =>
  Effect.gen(function*() {
    const takesCalls = roles === undefined || roles.includes("dial")
    const { carrier } = yield* SimulatedNetwork
    const http = yield* CarrierHttp.make(environment, { takesCalls })
    const sip = takesCalls ? yield* sipCarriers(environment) : [closedLines]
    return Carriers.layerOf([carrier, http, ...sip, ...carriers])
  }).pipe(Layer.unwrapScoped, Layer.provideMerge(SimulatedNetwork.layer(simulator)))
