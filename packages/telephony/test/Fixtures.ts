import { ConnectionId, Ids, OrgId, PhoneNumber, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { Layer, Logger, LogLevel, Schema } from "effect"
import {
  AgentVersions,
  AttemptListener,
  Attempts,
  AttemptStore,
  BlockedNumbers,
  BlockedNumbersStore,
  CallEvents,
  CallEventStore,
  CallHandler,
  CallJournal,
  CallJournalStore,
  CallRegistry,
  Calls,
  CallSlots,
  type Carrier,
  Carriers,
  Connection,
  Connections,
  CreateDeployment,
  Deployments,
  DeploymentStore,
  DialLease,
  HangUps,
  InboundCalls,
  InboundRouter,
  KnownCallers,
  LineHealth,
  LiveCalls,
  OngoingCalls,
  Outbounds,
  Reaper,
  SimulatedNetwork,
  type SimulatorOptions
} from "../src/index.js"

export const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
export const elsewhere = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("other") })

export const line = PhoneNumber.make("+911140000001")
export const secondLine = PhoneNumber.make("+911140000002")
export const caller = PhoneNumber.make("+919876543210")

/** An Indian number with the given last digits. */
export const numberEnding = (digits: string) => PhoneNumber.make(`+91987654${digits.padStart(4, "0")}`)

export const connection = new Connection({
  connection_id: ConnectionId.make("sim-1"),
  provider: "simulator",
  phone_numbers: [line, secondLine],
  max_channels: 5,
  options: {}
})

export const deploymentBody = (changes: Record<string, unknown> = {}) =>
  Schema.decodeUnknownSync(CreateDeployment)({
    name: "Support desk",
    app_id: "support",
    app_version: 1,
    connection_configs: [{ connection_id: "sim-1", phone_numbers: [line] }],
    ...changes
  })

/** All telephony services, in memory, on a simulated network. */
export const telephony = (options: {
  readonly simulator?: SimulatorOptions
  readonly maxConcurrentCalls?: number
  readonly inboundShare?: number
  readonly callers?: Layer.Layer<KnownCallers>
  readonly handler?: Layer.Layer<CallHandler>
  readonly lease?: Layer.Layer<DialLease>
  /** Carrier in place of the simulated network's. */
  readonly carrier?: Carrier
  /** An existing network to use. */
  readonly network?: typeof SimulatedNetwork.Service
  /** Wraps the attempt store to inject faults. */
  readonly attempts?: Layer.Layer<AttemptStore, never, AttemptStore>
} = {}) =>
  Layer.mergeAll(Deployments.layer, HangUps.layer, OngoingCalls.layer, Outbounds.layer, InboundCalls.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(Attempts.layer, Calls.layer, InboundRouter.layer, Reaper.layer)),
    Layer.provideMerge(CallJournal.layer),
    Layer.provide(options.carrier === undefined ? Layer.empty : Carriers.layerOf([options.carrier])),
    Layer.provideMerge(options.attempts ?? Layer.context<AttemptStore>()),
    Layer.provideMerge(Layer.mergeAll(
      options.network === undefined
        ? SimulatedNetwork.layerCarriers(options.simulator)
        : SimulatedNetwork.layerOf(options.network),
      Connections.layerOf([connection]),
      AgentVersions.layerAny,
      AttemptListener.layerNone,
      AttemptStore.layerMemory,
      DeploymentStore.layerMemory,
      options.callers ?? KnownCallers.layerNone,
      options.handler ?? CallHandler.layerHello,
      CallSlots.layer({
        maxConcurrentCalls: options.maxConcurrentCalls ?? 10,
        inboundShare: options.inboundShare ?? 0
      }),
      CallRegistry.layer,
      LineHealth.layer(),
      LiveCalls.layer,
      Ids.layerSeeded("telephony"),
      Logger.minimumLogLevel(LogLevel.None)
    )),
    Layer.provideMerge(Layer.mergeAll(BlockedNumbers.layer, CallEvents.layer())),
    Layer.provideMerge(Layer.mergeAll(
      BlockedNumbersStore.layerMemory,
      CallEventStore.layerMemory,
      CallJournalStore.layerMemory,
      options.lease ?? DialLease.layerMemory,
      Transactions.layerMemory
    ))
  )
