import { ContactStore, Enrolment, type OwnedCampaign } from "@trunkline/campaigns"
import { Cohort, CohortStore, type CohortUser, noProgress } from "@trunkline/cohorts"
import { CampaignId, CohortId, OrgId, PhoneNumber, Scope, unchecked, WorkspaceId } from "@trunkline/kernel"
import { StorageSqlite } from "@trunkline/sqlite"
import { DateTime, Effect, Layer } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { rosterLayer } from "../packages/engine/src/wiring/CallPorts.js"

const [, , folder = "", count = "1000000", order = "ascending"] = process.argv
const people = Number(count)

/** Prime, so that its multiples visit every contact once. */
const stride = 7_919

/** The contact of a row: rows follow the phone numbers, or have them in no order. */
const contactOf = (row: number) => order === "ascending" ? row : row * stride % people

const scope = new Scope({ org_id: OrgId.make("bench"), workspace_id: WorkspaceId.make("main") })
const campaign_id = CampaignId.make("019aa000-0000-7000-8000-000000000001")
const owner = { kind: "campaign", id: campaign_id } as const

const numberOf = (index: number) => PhoneNumber.make(`+91${6_000_000_000 + index}`, unchecked)

const userOf = (row: number): CohortUser => ({
  row: row + 1,
  user_phone_number: numberOf(contactOf(row)),
  user_identifier: `person-${contactOf(row)}`,
  agent_variables: { balance: "1234.50" },
  app_overrides: {}
})

/** Everybody in pages, made anew for each use, so that they do not count as memory of the program. */
function* pages() {
  for (let from = 0; from < people; from += 2_000) {
    yield Array.from({ length: Math.min(2_000, people - from) }, (_, index) => userOf(from + index))
  }
}

/** Stores a completed cohort or stop file with all people. */
const store = (cohort_id: CohortId, cohort_category: "cohort" | "stop_file") =>
  Effect.gen(function*() {
    const cohorts = yield* CohortStore
    const at = DateTime.unsafeMake(0)
    const cohort = new Cohort({
      name: "Bench",
      cohort_id,
      cohort_category,
      status: "processing",
      source_type: "file_upload",
      created_by: "bench",
      created_at: at,
      updated_at: at,
      progress: noProgress,
      result: null,
      updated_by: null,
      failure_reason: null
    })
    yield* cohorts.insert({ scope, owner, cohort, source_url: null })
    for (const users of pages()) yield* cohorts.keep(scope, cohort_id, { users, progress: noProgress })
    for (const users of pages()) yield* cohorts.index(scope, cohort_id, users)
    const result = { total_records: people, valid_records: people, rejected_records: 0 }
    yield* cohorts.finish(scope, cohort_id, { status: "completed", result, updated_at: at })
  })

/** Repeats a step until there is nothing more to do; returns the costs for each person. */
const costOf = (step: Effect.Effect<boolean>) =>
  Effect.gen(function*() {
    const delays = monitorEventLoopDelay({ resolution: 1 })
    delays.enable()
    const [started, before] = [performance.now(), process.cpuUsage()]
    yield* Effect.repeat(step, { while: (more) => more })
    const { system, user } = process.cpuUsage(before)
    return {
      seconds: (performance.now() - started) / 1000,
      micros: (system + user) / people,
      delay: delays.percentile(99) / 1e6
    }
  })

const measured = Effect.gen(function*() {
  const contacts = yield* ContactStore
  const enrolment = yield* Enrolment
  // Enrolment reads nothing of a campaign but its id and its workspace.
  const owned: OwnedCampaign = { scope, campaign: Object.assign(Object.create(null), { campaign_id }) }
  yield* store(CohortId.make("019aa000-0000-7000-8000-000000000002"), "cohort")
  const enrolled = yield* costOf(enrolment.enrolMore(owned))
  yield* store(CohortId.make("019aa000-0000-7000-8000-000000000003"), "stop_file")
  const stopped = yield* costOf(enrolment.stopMore(owned))
  const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1000)
  return { enrolled, stopped, peakMegabytes, counts: yield* contacts.counts(campaign_id) }
})

mkdirSync(folder, { recursive: true })
const storage = StorageSqlite.layer({ file: join(folder, "bench.db") })
const main = Effect.provide(
  measured,
  Enrolment.layer.pipe(Layer.provideMerge(rosterLayer), Layer.provideMerge(storage))
)
void Effect.runPromise(main).then((result) => {
  process.send?.(result)
  process.exit(0)
})
