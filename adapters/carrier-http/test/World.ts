import { CarrierHttp } from "@trunkline/carrier-http"
import { type DoubleOptions, startDouble } from "@trunkline/carrier-http/testing"
import { AttemptId, ConnectionId, PhoneNumber, Transactions } from "@trunkline/kernel"
import {
  type CallEvent,
  CallEvents,
  CallEventStore,
  Connection,
  type DialPlan,
  type EventsRead
} from "@trunkline/telephony"
import { Duration, Effect, Layer } from "effect"

/** Signing secret of pushed events. */
export const eventsSecret = "whsec_dGhlIHByb3ZpZGVyIGFuZCB3ZSBrbm93IHRoaXM="

/** Environment variables of the tests' connections. */
export const environment = { CARRIER_KEY: "double-key", CARRIER_EVENTS: eventsSecret }

export const events = CallEvents.layer().pipe(
  Layer.provide(Layer.merge(CallEventStore.layerMemory, Transactions.layerMemory)),
  Layer.orDie
)

/** Timeouts that a late machine keeps too. */
const timeouts = { connect_seconds: 9, create_seconds: 9, request_seconds: 9, wait_seconds: 0.1 }

/** Options with a timeout for a provider that does not answer. */
export const impatient = { timeouts: { ...timeouts, create_seconds: 2 } }

/** A connection to the provider at an address. */
export const connectionTo = (base_url: string, options: Readonly<Record<string, unknown>> = {}, id = "line-1") =>
  new Connection({
    connection_id: ConnectionId.make(id),
    provider: "http",
    phone_numbers: [PhoneNumber.make("+911140000001")],
    options: {
      base_url,
      api_key_env: "CARRIER_KEY",
      events_secret_env: "CARRIER_EVENTS",
      dedupe: { kind: "none" },
      poll_seconds: 0.05,
      timeouts,
      ...options
    }
  })

let attempts = 0

/** A plan to dial a number, for a new attempt by default. */
export const planFor = (connection: Connection, to = "+919876543210", attempt?: AttemptId): DialPlan => ({
  attempt_id: attempt ?? AttemptId.make(`0199aaaa-0000-7000-8000-${String(++attempts).padStart(12, "0")}`),
  connection,
  from: PhoneNumber.make("+911140000001"),
  to: PhoneNumber.make(to),
  ringTimeout: Duration.seconds(40)
})

/** A local provider and a carrier connected to it, until the scope closes. */
export const carrierTo = (
  double: DoubleOptions = {},
  options: Readonly<Record<string, unknown>> = {},
  carrierOptions: CarrierHttp.CarrierHttpOptions = {}
) =>
  Effect.gen(function*() {
    const provider = yield* Effect.acquireRelease(
      Effect.promise(() => startDouble(double)),
      (provider) => Effect.promise(provider.close)
    )
    const carrier = yield* CarrierHttp.make(environment, carrierOptions)
    return { provider, carrier, connection: connectionTo(provider.url, options) }
  })

export const keyed = { dedupe: { kind: "key", ttl_seconds: 86_400 } }
export const lookupDedupe = { dedupe: { kind: "lookup", settle_seconds: 1 } }

/** Method and address of a push. */
export const pushed = { method: "POST", url: "/v1/connections/line-1/events", remoteAddress: null } as const

/** The events of a request, with or without a reply. */
export const eventsIn = (read: ReadonlyArray<CallEvent> | EventsRead): ReadonlyArray<CallEvent> =>
  "events" in read ? read.events : read
