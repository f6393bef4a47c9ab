import { assert, describe, it } from "@effect/vitest"
import { CreateCampaign } from "@trunkline/campaigns"
import { uploadForm } from "@trunkline/cohorts"
import { Engine } from "@trunkline/engine"
import { OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { type Carrier, NotAnswered } from "@trunkline/telephony"
import { Context, Effect, Layer, Schema, Stream } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Engine as Engines } from "trunkline/effect"
import { emptyDatabase, onPostgres } from "../../../test/setup/Postgres.js"

const people = 60
const channels = 4
const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })

/** Calls of all processes, as the network sees them. */
interface Journal {
  readonly dials: Array<{ readonly process: number; readonly to: string; readonly at: number }>
  inProgress: number
  most: number
}

/** A network on which everybody is busy, which takes a while to find out. */
const network = (process: number, journal: Journal): Carrier => ({
  provider: "network",
  protocol: "none",
  offers: Stream.never,
  dedupe: () => ({ _tag: "None" }),
  lookup: () => Effect.succeed({ _tag: "NotFound" }),
  place: ({ attempt_id, to }) =>
    Effect.sync(() => {
      journal.dials.push({ process, to, at: performance.now() })
      journal.inProgress += 1
      journal.most = Math.max(journal.most, journal.inProgress)
      const end = Effect.sync(() => void (journal.inProgress -= 1))
      const busy = Effect.fail(new NotAnswered({ status: "busy", reason: null }))
      return {
        provider_call_id: attempt_id,
        answer: Effect.zipRight(Effect.ensuring(Effect.sleep("300 millis"), end), busy),
        cancel: Effect.void
      }
    })
})

const campaignBody = Schema.decodeUnknownSync(CreateCampaign)({
  name: "Shared",
  app_config: {
    app_id: "reminder",
    app_version: 1,
    attempts_per_second: 20,
    connection_configs: [{ connection_id: "trunk", phone_numbers: ["+911140000001"] }],
    retry_config: { max_retries: 0 }
  },
  start_timestamp: "2024-05-20T04:30:00Z",
  end_timestamp: "2099-05-27T04:30:00Z",
  allowed_schedule: {
    allowed_start_time: "00:00",
    allowed_end_time: "23:59",
    allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
  }
})

const rows = Array.from({ length: people }, (_, index) => `person-${index},${9_876_500_000 + index}`)
const utf8 = new TextEncoder()
const form = uploadForm({
  name: "People",
  file: Stream.make(utf8.encode(`id,mobile\n${rows.join("\n")}\n`)),
  transformation: utf8.encode(JSON.stringify({ phone_number: { column_name: "mobile" } }))
})

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** One of the engines that share a database. */
const engineOn = (database: string, data: string, carrier: Carrier) =>
  Effect.map(
    Layer.build(Engines.layerPostgres({
      database,
      data,
      carriers: [carrier],
      lease: "3 seconds",
      maxConcurrentCalls: 1_000,
      agents: [{ app_id: "reminder", versions: [{ app_version: 1, committed: true }] }],
      connections: [{
        connection_id: "trunk",
        provider: "network",
        phone_numbers: ["+911140000001"],
        max_channels: channels
      }]
    })),
    (services) => Context.get(services, Engine)
  )

const sharedCampaign = (url: string, folder: string) =>
  Effect.gen(function*() {
    const journal: Journal = { dials: [], inProgress: 0, most: 0 }
    const one = yield* engineOn(url, `${folder}/one`, network(1, journal))
    const other = yield* engineOn(url, `${folder}/other`, network(2, journal))
    const { campaign_id } = yield* one.campaigns.create(scope, campaignBody, "tests")
    const owner = { kind: "campaign", id: campaign_id } as const
    yield* one.cohorts.upload(scope, owner, { form, createdBy: "tests" })
    const status = Effect.map(other.campaigns.get(scope, campaign_id), ({ status }) => status)
    yield* Effect.repeat(Effect.delay(status, "100 millis"), { until: (status) => status === "ended" })
    const { contacts } = yield* other.progress.of(scope, campaign_id)
    return { journal, contacts }
  })

onPostgres(() => {
  describe("two engines on one database", () => {
    it.scopedLive("run a campaign together, call everybody once, and hold the limit of a trunk", () =>
      Effect.gen(function*() {
        const url = yield* emptyDatabase
        const folder = yield* temporaryFolder
        const { contacts, journal } = yield* sharedCampaign(url, folder)
        assert.deepInclude(contacts, { waiting: 0, calling: 0, finished: people })
        const numbers = journal.dials.map(({ to }) => to)
        assert.lengthOf(numbers, people)
        assert.strictEqual(new Set(numbers).size, people)
        assert.isAtMost(journal.most, channels)
        for (const process of [1, 2]) {
          assert.isAbove(journal.dials.filter((dial) => dial.process === process).length, people / 10)
        }
      }))
  })
})
