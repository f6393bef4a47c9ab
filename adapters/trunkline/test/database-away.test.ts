import { assert, describe, it } from "@effect/vitest"
import { CreateCampaign } from "@trunkline/campaigns"
import { uploadForm } from "@trunkline/cohorts"
import { OrgId, Scope, StoreBusy, WorkspaceId } from "@trunkline/kernel"
import { Cause, Effect, Exit, Logger, LogLevel, Schema, Stream } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { emptyDatabase, onPostgres } from "../../../test/setup/Postgres.js"
import { throughRelay } from "../../../test/setup/Relay.js"
import { type CallNews, sharedEngine } from "./SharedEngine.js"

const people = 24
const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })

const campaignBody = Schema.decodeUnknownSync(CreateCampaign)({
  name: "Through an outage",
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

const utf8 = new TextEncoder()
const rows = Array.from({ length: people }, (_, index) => `person-${index},${9_876_500_000 + index}`)
const makeForm = () =>
  uploadForm({
    name: "People",
    file: Stream.make(utf8.encode(`id,mobile\n${rows.join("\n")}\n`)),
    transformation: utf8.encode(JSON.stringify({ phone_number: { column_name: "mobile" } }))
  })

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Waits until something holds. */
const until = (holds: () => boolean) => Effect.repeat(Effect.sleep("20 millis"), { until: holds })

onPostgres(() => {
  describe("an engine whose database is away", () => {
    it.scopedLive("dials nobody, refuses requests, and goes on afterwards: everybody is called once", () =>
      Effect.gen(function*() {
        const relay = yield* throughRelay(yield* emptyDatabase)
        const news: Array<CallNews> = []
        const dials = () => news.filter(({ _tag }) => _tag === "Dialled").length
        const ends = () => news.filter(({ _tag }) => _tag === "Ended").length
        const engine = yield* sharedEngine({
          database: relay.url,
          data: yield* temporaryFolder,
          tell: (one) => news.push(one)
        })
        const { campaign_id } = yield* engine.campaigns.create(scope, campaignBody, "tests")
        const owner = { kind: "campaign", id: campaign_id } as const
        yield* engine.cohorts.upload(scope, owner, { form: makeForm(), createdBy: "tests" })
        yield* until(() => dials() >= people / 4)

        yield* relay.cut
        // Calls in progress end, and give back lines that nobody is called on.
        yield* until(() => ends() === dials())
        const before = dials()
        yield* Effect.sleep("1 second")
        assert.strictEqual(dials(), before)
        assert.isBelow(before, people)
        const request = yield* Effect.exit(engine.campaigns.get(scope, campaign_id))
        assert.isTrue(
          Exit.isFailure(request) && [...Cause.defects(request.cause)].some((one) => one instanceof StoreBusy)
        )

        yield* relay.join
        const status = Effect.map(engine.campaigns.get(scope, campaign_id), ({ status }) => status)
        const patient = Effect.catchAllCause(status, () => Effect.succeed("unknown" as const))
        yield* Effect.repeat(Effect.delay(patient, "100 millis"), { until: (status) => status === "ended" })
        const { contacts } = yield* engine.progress.of(scope, campaign_id)
        assert.deepInclude(contacts, { waiting: 0, calling: 0, finished: people })
        const numbers = news.flatMap((one) => one._tag === "Dialled" ? [one.to] : [])
        assert.lengthOf(numbers, people)
        assert.strictEqual(new Set(numbers).size, people)
      }).pipe(Logger.withMinimumLogLevel(LogLevel.None)))
  })
})
