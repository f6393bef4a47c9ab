import { AfterCallJobs } from "@trunkline/after-call"
import { Agent, AgentEditor, AgentStore, type DefinedAgent } from "@trunkline/agents"
import { AnalyticsOptions, CallRecords } from "@trunkline/analytics"
import { AudioCodecs, plainCodecs } from "@trunkline/audio"
import { BoardStore } from "@trunkline/boards"
import { CampaignStore, DispatchStores } from "@trunkline/campaigns"
import { ChartRenderer } from "@trunkline/charts"
import { CohortStore, FileDownload, FileStore, Importer } from "@trunkline/cohorts"
import { AgentTools } from "@trunkline/conversation"
import { Ids, macroTask, Transactions, WebAddressRules } from "@trunkline/kernel"
import { DocumentReader, KnowledgeStore, PassageIndex } from "@trunkline/knowledge"
import type { LanguageModel } from "@trunkline/models"
import { Mailer, NotificationStore, Sealer } from "@trunkline/notifications"
import { AccountStore, CreditLedger, Entropy, KeyStore, Load, RateLimits } from "@trunkline/rate-limits"
import { Rehearsals } from "@trunkline/rehearsal"
import { ScriptedModel } from "@trunkline/scripted-model"
import { Listener, Synthesizer, Transcriber, VoiceStore } from "@trunkline/speech"
import {
  AttemptStore,
  BlockedNumbersStore,
  CallEvents,
  CallEventStore,
  CallJournalStore,
  Connections,
  DeploymentStore,
  DialLease,
  SimulatedNetwork,
  type SimulatorOptions
} from "@trunkline/telephony"
import { FactsLog, type Warehouse, warehouseMemory } from "@trunkline/warehouse"
import { HttpSender, Outbox, RetiredSecretStore } from "@trunkline/webhooks"
import { Effect, Layer, Random, Redacted, Schema } from "effect"
import { accessLayer } from "./Access.js"
import { type Configuration, decodeConfiguration } from "./Configuration.js"
import type { EngineOptions } from "./EngineOptions.js"
import { RecordingKeys } from "./recordings/RecordingKeys.js"

type Encoded = typeof Configuration.Encoded

/** Options of the engine in memory: agents, connections and keys as in a bootstrap file, and replaceable parts. */
export interface MemoryOptions extends EngineOptions, Omit<Encoded, "agents"> {
  /** Agents in their wire form, or as `defineAgent` returns them, with the handlers of their tools. */
  readonly agents: ReadonlyArray<typeof Agent.Encoded | DefinedAgent>
  /** Behaviour of callees on the simulated phone network; by default every callee answers and cooperates. */
  readonly simulator?: SimulatorOptions
  /** Rate limits; by default those of the standard plan table, in memory. */
  readonly limits?: Layer.Layer<RateLimits>
  /** Language model of conversations, chat and responses; by default the scripted model. */
  readonly model?: Layer.Layer<LanguageModel>
  /** Load shedding; none by default. */
  readonly load?: Layer.Layer<Load, never, Transactions>
  /** Warehouse that boards query; by default in the process, with sql.js. */
  readonly warehouse?: Layer.Layer<Warehouse>
  /** Chart renderer; none by default. */
  readonly charts?: Layer.Layer<ChartRenderer>
  /** Mailer of reports; none by default. */
  readonly mailer?: Layer.Layer<Mailer>
  /** Speech synthesizer; none by default. */
  readonly synthesizer?: Layer.Layer<Synthesizer>
  /** Transcriber that checks synthesized speech, and hears callers unless there is a listener; none by default. */
  readonly transcriber?: Layer.Layer<Transcriber>
  /** Listener that hears callers on lines with sound; by default it transcribes each turn with the transcriber. */
  readonly listener?: Layer.Layer<Listener>
  /** Audio codecs; by default those that need no library. */
  readonly codecs?: Layer.Layer<AudioCodecs>
  /**
   * HTTP sender of webhooks and of reports to chats, such as `HttpSenderGuarded.layer()` of `@trunkline/http-client`. By
   * default nothing is sent: a warning says so once, and the delivery history says so for every webhook.
   */
  readonly sender?: Layer.Layer<HttpSender>
  /** True to accept `http:` URLs of webhooks and files, such as those of local receivers. False by default. */
  readonly allowInsecureUrls?: boolean
  /** Files that cohorts can be fetched from, by URL; none by default. */
  readonly downloads?: Readonly<Record<string, Uint8Array>>
  /** Seed that makes ids repeatable, and generated keys predictable, for tests. Random by default. */
  readonly seed?: string
}

/** Every store in memory. */
const memoryStores = Layer.mergeAll(
  Transactions.layerMemory,
  AttemptStore.layerMemory,
  AfterCallJobs.layerMemory,
  AgentStore.layerMemory,
  BlockedNumbersStore.layerMemory,
  CallEventStore.layerMemory,
  CallJournalStore.layerMemory,
  DeploymentStore.layerMemory,
  DialLease.layerMemory,
  CampaignStore.layerMemory,
  DispatchStores.layerMemory,
  CohortStore.layerMemory,
  FileStore.layerMemory,
  CallRecords.layerMemory,
  FactsLog.layerMemory,
  BoardStore.layerMemory,
  NotificationStore.layerMemory,
  Outbox.layerMemory,
  RetiredSecretStore.layerMemory,
  KeyStore.layerMemory,
  AccountStore.layerMemory,
  CreditLedger.layerMemory,
  VoiceStore.layerMemory,
  KnowledgeStore.layerMemory
)

const isDefined = (agent: MemoryOptions["agents"][number]): agent is DefinedAgent => "handlers" in agent

const encodeAgent = Schema.encodeSync(Agent)

/** The handlers of the agents that have some; those of the host if none has. */
const agentTools = ({ agents }: MemoryOptions) => {
  const definedAgents = agents.filter(isDefined)
  return Layer.effect(
    AgentTools,
    Effect.map(AgentTools, (outer) => definedAgents.length === 0 ? outer : AgentTools.ofAgents(definedAgents))
  )
}

const senderAdvice = "No webhooks and chat reports are sent: the option `sender` of Engine.layerMemory is missing. "
  + "HttpSenderGuarded.layer() of @trunkline/http-client is a sender"

/** The rules of the host, with the options' in their place. */
const addressRules = ({ allowInsecureUrls }: MemoryOptions) =>
  Layer.effect(
    WebAddressRules,
    Effect.map(WebAddressRules, (rules) => allowInsecureUrls === undefined ? rules : { ...rules, allowInsecureUrls })
  )

/**
 * Every part of an engine in memory. Fails with `Invalid`, which lists every issue,
 * when agents, connections or keys are malformed or name unknown accounts.
 */
export const memoryParts = (options: MemoryOptions) =>
  Layer.unwrapEffect(
    Effect.map(
      options.seed === undefined ? Effect.map(Random.nextIntBetween(0, 2 ** 52), String) : Effect.succeed(options.seed),
      (seed) => seededParts(options, seed)
    )
  )

const seededParts = (options: MemoryOptions, seed: string) => {
  const {
    charts = ChartRenderer.layerNone,
    codecs = Layer.succeed(AudioCodecs, plainCodecs(macroTask)),
    limits = RateLimits.layerMemory(),
    load = Load.layerUnlimited,
    mailer = Mailer.layerNone,
    model = ScriptedModel.layer(),
    sender = HttpSender.layerNone(senderAdvice),
    simulator,
    synthesizer = Synthesizer.layerNone,
    transcriber = Transcriber.layerNone,
    listener = Layer.provide(Listener.layerOfTranscriber, transcriber),
    warehouse = warehouseMemory
  } = options
  const configuration = Layer.unwrapEffect(
    Effect.map(
      decodeConfiguration({
        ...options,
        agents: options.agents.map((agent) => isDefined(agent) ? encodeAgent(agent.agent) : agent)
      }),
      ({ access, agents, connections }) =>
        Layer.mergeAll(AgentEditor.layerOf(agents), Connections.layerOf(connections), accessLayer(access))
    )
  )
  return Layer.mergeAll(
    configuration,
    SimulatedNetwork.layerCarriers(simulator),
    CallEvents.layer(),
    Rehearsals.layer,
    model,
    sender,
    addressRules(options),
    agentTools(options),
    FileDownload.layerMemory(options.downloads),
    Importer.layer,
    DocumentReader.layerPlain,
    PassageIndex.layerMemory,
    warehouse,
    charts,
    mailer,
    synthesizer,
    transcriber,
    listener,
    codecs,
    Sealer.layer(Redacted.make(seed)),
    RecordingKeys.layer([Redacted.make(seed)]),
    limits,
    load,
    AnalyticsOptions.layer({ contactSalt: Redacted.make(seed) })
  ).pipe(Layer.provideMerge(Layer.mergeAll(memoryStores, Ids.layerSeeded(seed), Entropy.layerSeeded(seed))))
}
