import { type Agent, AgentCatalog } from "@trunkline/agents"
import { AnalyticsOptions, CallRecords } from "@trunkline/analytics"
import { CampaignStore, DispatchStore } from "@trunkline/campaigns"
import { CohortStore, FileStore } from "@trunkline/cohorts"
import { Ids, Transactions } from "@trunkline/kernel"
import { LanguageModel } from "@trunkline/models"
import { AccountStore, Entropy, KeyStore, RateLimits } from "@trunkline/rate-limits"
import {
  AttemptStore,
  type Connection,
  Connections,
  DeploymentStore,
  SimulatedNetwork,
  type SimulatorOptions
} from "@trunkline/telephony"
import { HttpSender, Outbox } from "@trunkline/webhooks"
import { Layer, Redacted } from "effect"
import type { EngineOptions } from "./EngineServices.js"

/** What the engine in memory is made of. */
export interface MemoryOptions extends EngineOptions {
  readonly agents: ReadonlyArray<Agent>
  readonly connections: ReadonlyArray<Connection>
  /** Who lives on the simulated phone network; by default everyone answers politely. */
  readonly simulator?: SimulatorOptions
  /** Makes ids and keys repeatable; default `trunkline`. */
  readonly seed?: string
}

/** Every store in memory: all that an engine keeps, gone with the process. */
export const memoryStores = Layer.mergeAll(
  Transactions.layerMemory,
  AttemptStore.layerMemory,
  DeploymentStore.layerMemory,
  CampaignStore.layerMemory,
  DispatchStore.layerMemory,
  CohortStore.layerMemory,
  FileStore.layerMemory,
  CallRecords.layerMemory,
  Outbox.layerMemory,
  KeyStore.layerMemory,
  AccountStore.layerMemory
)

/** All parts of an engine without an outside world: webhooks are kept in memory as well. */
export const memoryParts = ({ agents, connections, seed = "trunkline", simulator }: MemoryOptions) =>
  Layer.mergeAll(
    memoryStores,
    SimulatedNetwork.layerCarriers(simulator),
    Connections.layerOf(connections),
    AgentCatalog.layerOf(agents),
    LanguageModel.layerScripted(),
    HttpSender.layerMemory,
    RateLimits.layerUnlimited,
    Ids.layerSeeded(seed),
    Entropy.layerSeeded(seed),
    AnalyticsOptions.layer({ contactSalt: Redacted.make(seed) })
  )
