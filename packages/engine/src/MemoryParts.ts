import { Agent, AgentCatalog } from "@trunkline/agents"
import { AnalyticsOptions, CallRecords } from "@trunkline/analytics"
import { AudioCodecs, plainCodecs } from "@trunkline/audio"
import { BoardStore } from "@trunkline/boards"
import { CampaignStore, DispatchStore } from "@trunkline/campaigns"
import { ChartRenderer } from "@trunkline/charts"
import { CohortStore, FileDownload, FileStore, Importer } from "@trunkline/cohorts"
import { Invalid, type Issue, issuesOf } from "@trunkline/errors"
import { Ids, macroTask, Transactions } from "@trunkline/kernel"
import { LanguageModel } from "@trunkline/models"
import { Mailer, NotificationStore, Sealer } from "@trunkline/notifications"
import { AccountStore, CreditLedger, Entropy, KeyStore, Load, RateLimits } from "@trunkline/rate-limits"
import { Rehearsals } from "@trunkline/rehearsal"
import { ScriptedModel } from "@trunkline/scripted-model"
import { Synthesizer, Transcriber, VoiceStore } from "@trunkline/speech"
import {
  AttemptStore,
  BlockedNumbersStore,
  CallEvents,
  CallEventStore,
  Connection,
  Connections,
  DeploymentStore,
  DialLease,
  SimulatedNetwork,
  type SimulatorOptions
} from "@trunkline/telephony"
import { FactsLog, type Warehouse, warehouseMemory } from "@trunkline/warehouse"
import { HttpSender, Outbox, RetiredSecretStore } from "@trunkline/webhooks"
import { Array, Effect, Layer, Random, Redacted, Schema } from "effect"
import { Access, accessLayer } from "./Access.js"
import type { EngineOptions } from "./EngineServices.js"
import { accessIssues, refuseAny } from "./StartIssues.js"

const Parts = Schema.Struct({
  agents: Schema.Array(Agent),
  connections: Schema.Array(Connection),
  /** Nobody, unless given: then the engine is used from code only. */
  access: Schema.optionalWith(Access, { exact: true, default: () => ({ accounts: [], workspaces: [], keys: [] }) })
})

/** What the engine in memory is made of: agents, phone lines and keys as a bootstrap file would hold them. */
export interface MemoryOptions extends EngineOptions {
  readonly agents: (typeof Parts.Encoded)["agents"]
  readonly connections: (typeof Parts.Encoded)["connections"]
  readonly access?: typeof Access.Encoded
  /** Who lives on the simulated phone network; by default everyone answers politely. */
  readonly simulator?: SimulatorOptions
  /** What requests and connections are counted against; the plans of the specification, in memory, unless given. */
  readonly limits?: Layer.Layer<RateLimits>
  /** Who answers in conversations, chat and responses; the scripted model, unless given. */
  readonly model?: Layer.Layer<LanguageModel>
  /** When load is shed: never, unless given. */
  readonly load?: Layer.Layer<Load, never, Transactions>
  /** Where boards are queried; in the process, by sql.js, unless given. */
  readonly warehouse?: Layer.Layer<Warehouse>
  /** Who draws charts; nobody, unless given. */
  readonly charts?: Layer.Layer<ChartRenderer>
  /** Who sends mail; nobody, unless given. */
  readonly mailer?: Layer.Layer<Mailer>
  /** Who speaks; nobody, unless given. */
  readonly synthesizer?: Layer.Layer<Synthesizer>
  /** Who writes down what is said; nobody, unless given. */
  readonly transcriber?: Layer.Layer<Transcriber>
  /** The codecs of sound; those that need no library, unless given. */
  readonly codecs?: Layer.Layer<AudioCodecs>
  /** The files that cohorts can be fetched from, by their URLs; none, unless given. */
  readonly downloads?: Readonly<Record<string, Uint8Array>>
  /** Makes ids repeatable, and keys that the engine itself creates guessable: for tests. Another one each time by default. */
  readonly seed?: string
}

/** Every store in memory: all that an engine keeps, gone with the process. */
export const memoryStores = Layer.mergeAll(
  Transactions.layerMemory,
  AttemptStore.layerMemory,
  BlockedNumbersStore.layerMemory,
  CallEventStore.layerMemory,
  DeploymentStore.layerMemory,
  DialLease.layerMemory,
  CampaignStore.layerMemory,
  DispatchStore.layerMemory,
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
  VoiceStore.layerMemory
)

const decodeParts = (options: MemoryOptions) =>
  Schema.decodeUnknown(Parts, { errors: "all", onExcessProperty: "error" })({
    agents: options.agents,
    connections: options.connections,
    ...(options.access === undefined ? {} : { access: options.access })
  }).pipe(
    Effect.mapError((error) => new Invalid({ issues: Array.map(issuesOf(error, "body"), withoutPrefix) })),
    Effect.tap(({ access }) => refuseAny(accessIssues(access).map(inAccess)))
  )

/** Options are no body of a request. */
const withoutPrefix = (issue: Issue): Issue => ({ ...issue, loc: issue.loc.slice(1) })

const inAccess = (issue: Issue): Issue => ({ ...issue, loc: ["access", ...issue.loc] })

/**
 * All parts of an engine without an outside world: webhooks go nowhere. Fails with every issue when the agents,
 * connections or keys are not well formed, or name accounts that are not given.
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
    simulator,
    synthesizer = Synthesizer.layerNone,
    transcriber = Transcriber.layerNone,
    warehouse = warehouseMemory
  } = options
  const given = Layer.unwrapEffect(
    Effect.map(
      decodeParts(options),
      ({ access, agents, connections }) =>
        Layer.mergeAll(AgentCatalog.layerOf(agents), Connections.layerOf(connections), accessLayer(access))
    )
  )
  return Layer.mergeAll(
    given,
    SimulatedNetwork.layerCarriers(simulator),
    CallEvents.layer(),
    Rehearsals.layer,
    model,
    HttpSender.layerMemory,
    FileDownload.layerMemory(options.downloads),
    Importer.layer,
    warehouse,
    charts,
    mailer,
    synthesizer,
    transcriber,
    codecs,
    Sealer.layer(Redacted.make(seed)),
    limits,
    load,
    AnalyticsOptions.layer({ contactSalt: Redacted.make(seed) })
  ).pipe(Layer.provideMerge(Layer.mergeAll(memoryStores, Ids.layerSeeded(seed), Entropy.layerSeeded(seed))))
}
