import { CreateCampaign } from "@trunkline/campaigns"
import { uploadForm } from "@trunkline/cohorts"
import type { Engine } from "@trunkline/engine"
import { type CampaignId, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { Effect, Schema, Stream } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { CallNews } from "./SharedEngine.js"

/** Number of people that a campaign calls. */
export const people = 40

/** Workspace of the campaigns. */
export const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })

/** Calls of all processes. */
export class Journal {
  readonly dials: Array<{ readonly process: number; readonly id: string; readonly to: string }> = []
  most = 0
  readonly #inProgress = new Map<number, number>()

  /** Takes the news of a process. */
  hear(process: number, news: CallNews) {
    if (news._tag === "Ready") return
    if (news._tag === "Dialled") this.dials.push({ process, id: news.id, to: news.to })
    const before = this.#inProgress.get(process) ?? 0
    this.#inProgress.set(process, before + (news._tag === "Dialled" ? 1 : -1))
    this.most = Math.max(this.most, [...this.#inProgress.values()].reduce((sum, calls) => sum + calls, 0))
  }

  /** Forgets the calls of a process that was killed. */
  forget(process: number) {
    this.#inProgress.delete(process)
  }
}

const campaignBody = Schema.decodeUnknownSync(CreateCampaign)({
  name: "Shared",
  app_config: {
    app_id: "reminder",
    app_version: 1,
    attempts_per_second: 20,
    connection_configs: [{ connection_id: "trunk", phone_numbers: ["+911140000001"] }],
    retry_config: {
      max_retries: 0,
      retry_on: { internal_error: { enabled: false }, provider_error: { enabled: false } }
    }
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
const makeForm = () =>
  uploadForm({
    name: "People",
    file: Stream.make(utf8.encode(`id,mobile\n${rows.join("\n")}\n`)),
    transformation: utf8.encode(JSON.stringify({ phone_number: { column_name: "mobile" } }))
  })

/** A folder, which is removed with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Begins a campaign that calls everybody. */
export const createCampaign = (engine: typeof Engine.Service) =>
  Effect.gen(function*() {
    const { campaign_id } = yield* engine.campaigns.create(scope, campaignBody, "tests")
    const owner = { kind: "campaign", id: campaign_id } as const
    yield* engine.cohorts.upload(scope, owner, { form: makeForm(), createdBy: "tests" })
    return campaign_id
  })

/** Waits until a campaign has ended, and returns its contacts by state. */
export const ended = (engine: typeof Engine.Service, id: CampaignId) =>
  Effect.gen(function*() {
    const status = Effect.map(engine.campaigns.get(scope, id), ({ status }) => status)
    yield* Effect.repeat(Effect.delay(status, "100 millis"), { until: (status) => status === "ended" })
    return (yield* engine.progress.of(scope, id)).contacts
  })

/** Contacts by state once everybody was called. */
export const everybody = { waiting: 0, calling: 0, finished: people }
