import { CarrierHttp } from "@trunkline/carrier-http"
import type { EngineOptions } from "@trunkline/engine"
import {
  type Carrier,
  Carriers,
  Connections,
  DialFailed,
  LookupFailed,
  SimulatedNetwork,
  type SimulatorOptions
} from "@trunkline/telephony"
import { Effect, Layer, Stream } from "effect"
import { isHosted } from "./HostedProviders.js"

/** Options of the carriers of an engine. */
export interface CarriersOptions extends Pick<EngineOptions, "roles"> {
  /** Carriers beside the simulated network, the HTTP protocol of docs/carriers.md, SIP, and hosted providers. */
  readonly carriers?: ReadonlyArray<Carrier>
  /** Environment that secrets of connections are read from; `process.env` by default. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Behaviour of callees on the simulated phone network; by default every callee answers and cooperates. */
  readonly simulator?: SimulatorOptions
}

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
const sipCarriers = (environment: NonNullable<CarriersOptions["environment"]>) =>
  Effect.gen(function*() {
    const connections = yield* (yield* Connections).list
    if (!connections.some(({ provider }) => provider === "sip")) return []
    const { CarrierSip } = yield* Effect.promise(() => import("@trunkline/carrier-sip"))
    return [yield* CarrierSip.make(environment)]
  })

/** The carriers of hosted providers, which are only loaded where there are lines of some. */
const hostedCarriers = (environment: NonNullable<CarriersOptions["environment"]>, takesCalls: boolean) =>
  Effect.gen(function*() {
    const connections = yield* (yield* Connections).list
    if (!connections.some(({ provider }) => isHosted(provider))) return []
    const { CarrierMediaWebsocket } = yield* Effect.promise(() => import("@trunkline/carrier-media-websocket"))
    return yield* CarrierMediaWebsocket.make(environment, { takesCalls })
  })

/** The simulated network, the HTTP protocol, SIP, hosted providers, and the carriers of the host. */
export const carriersOf = ({ carriers = [], environment = process.env, roles, simulator = {} }: CarriersOptions) =>
  Effect.gen(function*() {
    const takesCalls = roles === undefined || roles.includes("dial")
    const { carrier } = yield* SimulatedNetwork
    const http = yield* CarrierHttp.make(environment, { takesCalls })
    const sip = takesCalls ? yield* sipCarriers(environment) : [closedLines]
    const hosted = yield* hostedCarriers(environment, takesCalls)
    return Carriers.layerOf([carrier, http, ...sip, ...hosted, ...carriers])
  }).pipe(Layer.unwrapScoped, Layer.provideMerge(SimulatedNetwork.layer(simulator)))
