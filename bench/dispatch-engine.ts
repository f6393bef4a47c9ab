import { AgentEditor, decodeAgent } from "@trunkline/agents"
import { AnalyticsOptions } from "@trunkline/analytics"
import { AudioCodecs, plainCodecs } from "@trunkline/audio"
import { CreateCampaign } from "@trunkline/campaigns"
import { ChartRenderer } from "@trunkline/charts"
import { FileDownload, FileStore, Importer, uploadForm } from "@trunkline/cohorts"
import { Engine, RecordingKeys } from "@trunkline/engine"
import { EntropyNode } from "@trunkline/entropy-node"
import {
  type CampaignId,
  ConnectionId,
  Ids,
  macroTask,
  OrgId,
  PhoneNumber,
  Scope,
  WorkspaceId
} from "@trunkline/kernel"
import { DocumentReader, PassageIndex } from "@trunkline/knowledge"
import { Mailer, Sealer } from "@trunkline/notifications"
import { Load, RateLimits } from "@trunkline/rate-limits"
import { Rehearsals } from "@trunkline/rehearsal"
import { ScriptedModel } from "@trunkline/scripted-model"
import { Listener, Synthesizer, Transcriber } from "@trunkline/speech"
import { StorageSqlite, WarehouseSqlite } from "@trunkline/sqlite"
import type { Stores } from "@trunkline/storage-kysely"
import { StoragePostgres } from "@trunkline/storage-postgres"
import { CallEvents, type Carrier, Carriers, Connection, Connections, NotAnswered } from "@trunkline/telephony"
import { HttpSender } from "@trunkline/webhooks"
import { Duration, Effect, Layer, Option, Redacted, Schema, Stream } from "effect"
import { join } from "node:path"

export const scope = new Scope({ org_id: OrgId.make("bench"), workspace_id: WorkspaceId.make("main") })

const line = PhoneNumber.make("+911140000001")

/** Notified of every dial, with the number that is called. */
type OnDial = (to: PhoneNumber) => void

const busy = Effect.fail(new NotAnswered({ status: "busy", reason: null }))

/** A carrier that reports every call as busy after a while, and notifies of every request. */
const busyLine = (onDial: OnDial, after: Duration.DurationInput): Carrier => ({
  provider: "bench",
  protocol: "none",
  offers: Stream.never,
  dedupe: () => ({ _tag: "None" }),
  lookup: () => Effect.succeed({ _tag: "NotFound" }),
  place: ({ attempt_id, to }) =>
    Effect.sync(() => {
      onDial(to)
      return {
        provider_call_id: attempt_id,
        answer: Duration.toMillis(after) === 0 ? busy : Effect.delay(busy, after),
        cancel: Effect.void
      }
    })
})

/** The stores in a folder, or in the PostgreSQL database that DISPATCH_DATABASE names. */
const storesIn = (folder: string): Layer.Layer<Stores, Error> => {
  const url = process.env["DISPATCH_DATABASE"]
  return url === undefined ? StorageSqlite.layer({ file: join(folder, "bench.db") }) : StoragePostgres.layer({ url })
}

/** The receiver of the webhooks: it accepts each of them at once, or does not answer, so that all stay in the outbox. */
export type Receiver = "accepts" | "hangs"

const senders = { accepts: HttpSender.layerMemory, hangs: HttpSender.layerOf(() => Effect.never) }

/**
 * The whole engine in a folder, with every commit synced to disk before it is acknowledged. Each call ends `after` some time,
 * at once by default.
 */
export const engineIn = (
  folder: string,
  receiver: Receiver,
  onDial: OnDial,
  after: Duration.DurationInput = 0
) =>
  Engine.layer({ maxConcurrentCalls: 100_000 }).pipe(
    Layer.provideMerge(Layer.mergeAll(
      Carriers.layerOf([busyLine(onDial, after)]),
      Connections.layerOf([
        new Connection({
          connection_id: ConnectionId.make("line"),
          provider: "bench",
          phone_numbers: [line],
          options: {}
        })
      ]),
      Layer.unwrapEffect(Effect.map(
        Effect.orDie(decodeAgent({ app_id: "reminder", versions: [{ app_version: 1, committed: true }] })),
        (agent) => AgentEditor.layerOf([agent])
      )),
      CallEvents.layer(),
      Rehearsals.layer,
      ScriptedModel.layer(),
      senders[receiver],
      FileDownload.layerMemory(),
      RateLimits.layerUnlimited,
      Load.layerUnlimited,
      AnalyticsOptions.layer({ contactSalt: Redacted.make("bench") }),
      WarehouseSqlite.layer({ folder: join(folder, "warehouse") }),
      ChartRenderer.layerNone,
      Mailer.layerNone,
      RecordingKeys.layerNone,
      Synthesizer.layerNone,
      Transcriber.layerNone,
      Listener.layerNone,
      Layer.succeed(AudioCodecs, plainCodecs(macroTask)),
      Sealer.layer(Redacted.make("bench")),
      DocumentReader.layerPlain,
      PassageIndex.layerMemory
    )),
    Layer.provideMerge(Layer.mergeAll(Ids.layer, EntropyNode.layer, EntropyNode.layerCrypto)),
    Layer.provideMerge(
      Layer.provideMerge(
        Importer.layer,
        Layer.merge(storesIn(folder), FileStore.layerMemory)
      )
    )
  )

const campaignBody = (perSecond: number) =>
  Schema.decodeUnknownSync(CreateCampaign)({
    name: "Bench",
    app_config: {
      app_id: "reminder",
      app_version: 1,
      attempts_per_second: perSecond,
      connection_configs: [{ connection_id: "line", phone_numbers: [line] }],
      webhook_config: { url: "https://receiver.example/attempts" }
    },
    start_timestamp: "2024-05-20T04:30:00Z",
    end_timestamp: "2099-05-27T04:30:00Z",
    allowed_schedule: {
      allowed_start_time: "00:00",
      allowed_end_time: "24:00",
      allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    }
  })

const utf8 = new TextEncoder()
const transformation = utf8.encode(JSON.stringify({ phone_number: { column_name: "mobile" } }))
const rowsPerPiece = 1_000

/** The import file with the given number of contacts, in chunks. */
const fileOf = (people: number, firstNumber: number) =>
  Stream.unfold(0, (from) => {
    if (from >= people) return Option.none()
    const count = Math.min(rowsPerPiece, people - from)
    const rows = Array.from({ length: count }, (_, index) =>
      `person-${from + index},${firstNumber + from + index},1234.50`)
    return Option.some([utf8.encode(`${from === 0 ? "id,mobile,balance\n" : ""}${rows.join("\n")}\n`), from + count])
  })

/** A paused campaign with the given number of contacts, all imported. */
export const campaignOf = (people: number, perSecond: number, firstNumber: number) =>
  Effect.gen(function*() {
    const { campaigns, cohorts } = yield* Engine
    const { campaign_id } = yield* campaigns.create(scope, campaignBody(perSecond), "bench")
    yield* campaigns.act(scope, campaign_id, "pause", "bench")
    const owner = { kind: "campaign", id: campaign_id } as const
    const { cohort_id } = yield* cohorts.upload(scope, owner, {
      form: uploadForm({ name: "People", file: fileOf(people, firstNumber), transformation }),
      createdBy: "bench"
    })
    yield* Effect.repeat(Effect.delay(cohorts.get(scope, owner, cohort_id), "50 millis"), {
      until: ({ status }) => status !== "processing"
    })
    return campaign_id
  })

/** Resumes a campaign. */
export const resume = (id: CampaignId) =>
  Effect.flatMap(Engine, ({ campaigns }) => campaigns.act(scope, id, "resume", "bench"))
