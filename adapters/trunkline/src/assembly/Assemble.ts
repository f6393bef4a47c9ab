import { AgentEditor } from "@trunkline/agents"
import { AnalyticsOptions } from "@trunkline/analytics"
import type { AudioCodecs } from "@trunkline/audio"
import { ChartRenderer } from "@trunkline/charts"
import { AudioCodecsWasm } from "@trunkline/codecs-wasm"
import { FileStore, Importer } from "@trunkline/cohorts"
import { DocumentThreads } from "@trunkline/documents-unpdf"
import { accessLayer, type Configuration, Engine, type EngineOptions, RecordingKeys } from "@trunkline/engine"
import { EntropyNode } from "@trunkline/entropy-node"
import { FileDownloadGuarded, HttpSenderGuarded } from "@trunkline/http-client/guarded"
import { RehearsalWorker } from "@trunkline/job-threads"
import { type Entropy, Ids, WebAddressRules } from "@trunkline/kernel"
import type { LanguageModel } from "@trunkline/models"
import { Mailer, NotificationOptions, Sealer } from "@trunkline/notifications"
import { Load, RateLimits } from "@trunkline/rate-limits"
import { ScriptedModel } from "@trunkline/scripted-model"
import { Listener, type Synthesizer, Transcriber } from "@trunkline/speech"
import { SpeechEspeak } from "@trunkline/speech-espeak"
import { PassageIndexSqlite, StorageSqlite, WarehouseSqlite } from "@trunkline/sqlite"
import { Ownership } from "@trunkline/storage-kysely"
import { CallEvents, Connections } from "@trunkline/telephony"
import type { HttpSender } from "@trunkline/webhooks"
import { type Duration, Effect, identity, Layer, type Redacted, type Stream } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { browserLines } from "./BrowserCallLines.js"
import { makeSecret } from "./DataFolder.js"
import { carriersOf, type CarriersOptions } from "./EngineCarriers.js"
import { persistentTime } from "./PersistentTime.js"

/** Part of an engine; it may fail when it starts. */
type Part<A> = Layer.Layer<A, Error>

type Encoded = typeof Configuration.Encoded

/** Options of `layerSqlite`: where data is kept, who may do what, and parts to use in place of the defaults. */
export interface SqliteEngineOptions extends EngineOptions, CarriersOptions, Encoded {
  /** Folder of the database, files and warehouses, created if needed; `:memory:` keeps nothing after the engine stops. */
  readonly data: string
  /**
   * Place of uploaded files and recordings: a folder, or the URL of a bucket of S3 such as
   * `s3://bucket/prefix?endpoint=https://minio.internal:9000&region=us-east-1` (`path_style` beside), with credentials from
   * the environment; with a PostgreSQL database also `postgres`, the default there. Otherwise the data folder by default.
   */
  readonly files?: string
  /**
   * Keys that recordings are encrypted with at rest: the first one encrypts, and all of them decrypt. By default the key
   * follows from the secret of the folder or of the database, which always decrypts.
   */
  readonly recordingKeys?: ReadonlyArray<Redacted.Redacted>
  /** Business seconds per real second, for simulated networks; 1 by default. */
  readonly speed?: number
  /** Lower speeds that business time takes later, while it runs; none by default. */
  readonly speeds?: Stream.Stream<number>
  /** Time without a heartbeat after which another process may take over the folder; 30 seconds by default. */
  readonly lease?: Duration.DurationInput
  /** Effect to run when another process has taken over the folder; logs an error by default. */
  readonly onLost?: (message: string) => Effect.Effect<void>
  /** Allows webhooks and downloads over plain HTTP, and to private addresses; neither by default. */
  readonly addresses?: { readonly allowInsecureUrls: boolean; readonly allowPrivateUrls: boolean }
  /** Hosts that chat webhooks of reports may use; any by default. */
  readonly chatHosts?: typeof NotificationOptions.Service["chatHosts"]
  /** Language model of conversations, chat and responses; the scripted model by default. */
  readonly model?: Part<LanguageModel>
  /** Sender of webhooks; by default over the network, except to internal addresses. */
  readonly sender?: Part<HttpSender>
  /** Rate limits; those of the standard plan table by default. */
  readonly limits?: Part<RateLimits>
  /** Load shedding; on by default. */
  readonly load?: Layer.Layer<Load, Error, Layer.Layer.Context<ReturnType<typeof Load.layer>>>
  /** Chart renderer; none by default. */
  readonly charts?: Part<ChartRenderer>
  /** Mailer of reports; none by default. */
  readonly mailer?: Part<Mailer>
  /** Speech synthesizer; espeak-ng by default, where it is installed. */
  readonly synthesizer?: Part<Synthesizer>
  /** Transcriber; none by default. */
  readonly transcriber?: Part<Transcriber>
  /** Listener that hears callers on lines with sound; by default it transcribes each turn with the transcriber. */
  readonly listener?: Part<Listener>
  /** Audio codecs; by default all whose libraries are installed. */
  readonly codecs?: Part<AudioCodecs>
  /** Changes the parts whose calls have spans; by default they stay as they are. */
  readonly traced?: TracedParts
}

/** Parts whose calls have spans. */
export interface TracedParts {
  readonly model: <E, R>(model: Layer.Layer<LanguageModel, E, R>) => Layer.Layer<LanguageModel, E, R>
  readonly synthesizer: <E, R>(voice: Layer.Layer<Synthesizer, E, R>) => Layer.Layer<Synthesizer, E, R>
  readonly transcriber: <E, R>(transcriber: Layer.Layer<Transcriber, E, R>) => Layer.Layer<Transcriber, E, R>
  readonly listener: <E, R>(listener: Layer.Layer<Listener, E, R>) => Layer.Layer<Listener, E, R>
}

const plainParts: TracedParts = { model: identity, synthesizer: identity, transcriber: identity, listener: identity }

/** Ends what must not go on when another process has taken over the data. Its writes are rejected from then on. */
export const watchOwnership = (onLost: (message: string) => Effect.Effect<void>) =>
  Layer.scopedDiscard(
    Effect.flatMap(Ownership, ({ lost }) => Effect.forkScoped(Effect.flatMap(lost, ({ message }) => onLost(message))))
  )

/** A temporary folder, which is removed when the engine stops. */
const temporaryFolder = (purpose: string) =>
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), `trunkline-${purpose}-`))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

/** A warehouse in a temporary folder. */
export const temporaryWarehouse = Layer.unwrapScoped(
  Effect.map(temporaryFolder("warehouse"), (folder) => WarehouseSqlite.layer({ folder }))
)

/** Indexes of knowledge in a temporary folder. */
const temporaryKnowledge = Layer.unwrapScoped(
  Effect.map(temporaryFolder("knowledge"), (folder) => PassageIndexSqlite.layer({ folder }))
)

/** Default of `onLost`. */
export const logLost = (message: string): Effect.Effect<void> => Effect.logError(`The engine lost its data: ${message}`)

/** Stores, warehouse and secrets in memory, which are gone when the engine stops. */
export const storageInMemory = {
  stores: Layer.provideMerge(
    Importer.layer,
    Layer.mergeAll(StorageSqlite.layer({ file: ":memory:" }), FileStore.layerMemory, RateLimits.layerMemory())
  ),
  others: Layer.mergeAll(
    temporaryWarehouse,
    temporaryKnowledge,
    Layer.suspend(() => Sealer.layer(makeSecret())),
    Layer.suspend(() => RecordingKeys.layer([makeSecret()])),
    Layer.suspend(() => AnalyticsOptions.layer({ contactSalt: makeSecret() }))
  )
}

/** Keys of recordings: those that are given, and the one of the engine's secrets. */
export const recordingKeysOf = (keys: ReadonlyArray<Redacted.Redacted>, ownKey: Redacted.Redacted) => {
  const [first = ownKey, ...others] = [...keys, ownKey]
  return RecordingKeys.layer([first, ...others])
}

/** Where an engine keeps its data. */
export interface EngineStorage<E> {
  readonly stores: Layer.Layer<Layer.Layer.Success<typeof storageInMemory.stores>, E>
  readonly others: Layer.Layer<Layer.Layer.Success<typeof storageInMemory.others>, E, Entropy>
}

/** Puts the parts of an engine together. */
export const assemble = <E>(
  options: SqliteEngineOptions,
  { access, agents, connections }: Configuration,
  { others, stores }: EngineStorage<E>
) => {
  const {
    addresses = { allowInsecureUrls: false, allowPrivateUrls: false },
    charts = ChartRenderer.layerNone,
    chatHosts = "any",
    codecs = AudioCodecsWasm.layer(),
    limits = Layer.empty,
    load = Load.layer(),
    mailer = Mailer.layerNone,
    model = ScriptedModel.layer(),
    sender = HttpSenderGuarded.layer(addresses),
    speed = 1,
    speeds,
    synthesizer = SpeechEspeak.layer(),
    traced = plainParts
  } = options
  const transcriber = traced.transcriber(options.transcriber ?? Transcriber.layerNone)
  const listener = options.listener === undefined
    ? Layer.provide(Listener.layerOfTranscriber, transcriber)
    : traced.listener(options.listener)
  return Engine.layer(options).pipe(
    Layer.provideMerge(accessLayer(access)),
    Layer.provideMerge(Layer.mergeAll(
      Layer.provideMerge(carriersOf(options), Connections.layerOf(connections)),
      AgentEditor.layerOf(agents),
      traced.model(model),
      sender,
      FileDownloadGuarded.layer(addresses),
      limits,
      load,
      charts,
      mailer,
      traced.synthesizer(synthesizer),
      transcriber,
      listener,
      codecs,
      Layer.succeed(NotificationOptions, { chatHosts }),
      RehearsalWorker.layer(),
      DocumentThreads.layer(),
      browserLines,
      others
    )),
    Layer.provideMerge(CallEvents.layer()),
    Layer.provideMerge(Layer.mergeAll(Ids.layer, EntropyNode.layer, EntropyNode.layerRandom, EntropyNode.layerCrypto)),
    Layer.provideMerge(Layer.succeed(WebAddressRules, addresses)),
    Layer.provideMerge(persistentTime(speed, speeds)),
    Layer.provideMerge(stores)
  )
}
