import { assert, layer } from "@effect/vitest"
import {
  BulkEnrolment,
  ContactStore,
  DialQueue,
  type DispatchStores,
  Enrolment,
  type OwnedCampaign,
  Roster
} from "@trunkline/campaigns"
import { Cohort, type CohortOwner, CohortStore, noProgress } from "@trunkline/cohorts"
import { CampaignId, CohortId, OrgId, PhoneNumber, Scope, type Transactions, WorkspaceId } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Array, DateTime, Effect, FastCheck, Layer } from "effect"

type Stores = CohortStore | DispatchStores | Transactions

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("bulk") })
const ownerOf = (campaign: CampaignId): CohortOwner => ({ kind: "campaign", id: campaign })
const numberOf = (index: number) => PhoneNumber.make(`+91${9_876_500_000 + index}`)

/** Contacts by index, or null for a row that an import rejected. */
type File = ReadonlyArray<number | null>

/** The roster of the cohorts in a store; with `bulk`, the store enrols from them on its own. */
const rosterOf = (bulk: BulkEnrolment.Service | null) =>
  Layer.effect(
    Roster,
    Effect.map(CohortStore, (cohorts) =>
      Roster.of({
        ...(bulk === null ? {} : { bulk }),
        next: (scope, campaign, after, limit) =>
          Effect.map(
            cohorts.usersAfter(scope, ownerOf(campaign), { category: "cohort", after, limit }),
            Array.map(({ cohort_id, cursor, user }) => ({ ...user, cursor, cohort_id }))
          ),
        cohorts: () => Effect.succeed({ total: 1, processing: 0, people: 0 }),
        stops: (scope, campaign, after, limit) =>
          Effect.map(
            cohorts.usersAfter(scope, ownerOf(campaign), { category: "stop_file", after, limit }),
            Array.map(({ cursor, user: { user_phone_number } }) => ({ cursor, user_phone_number }))
          ),
        filterStopped: (scope, campaign, numbers) => cohorts.filterStopped(scope, ownerOf(campaign), numbers)
      }))
  )

/** Imports a file as a completed cohort or stop file. */
const complete = (campaign: CampaignId, id: string, cohort_category: "cohort" | "stop_file", file: File) =>
  Effect.gen(function*() {
    const cohorts = yield* CohortStore
    const cohort_id = CohortId.make(id)
    const at = DateTime.unsafeMake(0)
    const users = file.flatMap((index, row) =>
      index === null ? [] : [{
        row: row + 1,
        user_phone_number: numberOf(index),
        user_identifier: `"user" ${index} of ${row} \\ हिन्दी`,
        agent_variables: { name: "हिन्दी", "odd \"key\"": `\\ ${row}\n` },
        app_overrides: row % 2 === 0 ? {} : { initial_language_name: "Hindi" }
      }]
    )
    const cohort = new Cohort({
      name: id,
      cohort_id,
      cohort_category,
      status: "processing",
      source_type: "file_upload",
      created_by: "tests",
      created_at: at,
      updated_at: at,
      progress: noProgress,
      result: null,
      updated_by: null,
      failure_reason: null
    })
    yield* cohorts.insert({ scope, owner: ownerOf(campaign), cohort, source_url: null })
    yield* cohorts.keep(scope, cohort_id, { users, progress: noProgress })
    yield* cohorts.index(scope, cohort_id, users)
    const result = { total_records: file.length, valid_records: users.length, rejected_records: 0 }
    yield* cohorts.finish(scope, cohort_id, { status: "completed", result, updated_at: at })
  })

type Step = readonly ["cohort" | "stop_file", File] | "enrol" | "stop"

/** Everything that the store keeps about a campaign after some steps. */
const stateAfter = (name: string, bulk: BulkEnrolment.Service | null, steps: ReadonlyArray<Step>) =>
  Effect.gen(function*() {
    const contacts = yield* ContactStore
    const queue = yield* DialQueue
    const campaign_id = CampaignId.make(name)
    const enrolment = yield* Effect.provide(Enrolment, Layer.provide(Enrolment.layer, rosterOf(bulk)))
    // Enrolment reads nothing of a campaign but its id and its workspace.
    const ownedCampaign: OwnedCampaign = { scope, campaign: Object.assign(Object.create(null), { campaign_id }) }
    let files = 0
    for (const step of steps) {
      if (step === "enrol") { while (yield* enrolment.enrolMore(ownedCampaign)); }
      else if (step === "stop") { while (yield* enrolment.stopMore(ownedCampaign)); }
      else yield* complete(campaign_id, `${name}-${files++}`, ...step)
    }
    const everyone = { state: null, reason: null, search: "", limit: 10_000, after: null, before: null }
    const snapshot = yield* Effect.all({
      contacts: contacts.list(campaign_id, everyone),
      queue: queue.ready(campaign_id, Number.MAX_SAFE_INTEGER, 10_000),
      stopped: contacts.list(campaign_id, { ...everyone, reason: "stopped" }),
      totals: contacts.totals(campaign_id),
      cursor: contacts.cursor(campaign_id),
      stopCursor: contacts.stopCursor(campaign_id)
    })
    const { cursor, stopCursor, ...rest } = snapshot
    // Cohorts complete in one order for all campaigns.
    const text = JSON.stringify({ ...rest, rows: [cursor?.row, stopCursor?.row] })
    const state: typeof rest = JSON.parse(text.replaceAll(name, "camp"))
    return state
  })

const file = FastCheck.array(FastCheck.option(FastCheck.nat(9)), { maxLength: 8 })
const step = FastCheck.oneof(
  FastCheck.tuple(FastCheck.constantFrom("cohort" as const, "stop_file" as const), file),
  FastCheck.constantFrom("enrol" as const, "stop" as const)
)

/** The laws of `BulkEnrolment`, beside the stores whose tables it uses. */
export const bulkEnrolmentLaws = <E>(name: string, live: Layer.Layer<BulkEnrolment | Stores, E>): void => {
  layer(live)(`BulkEnrolment laws: ${name}`, (it) => {
    let runs = 0
    const compare = (steps: ReadonlyArray<Step>) =>
      Effect.gen(function*() {
        const bulk = yield* BulkEnrolment
        assert.isNotNull(bulk)
        runs += 1
        const reference = yield* stateAfter(`rows-${runs}`, null, steps)
        assert.deepStrictEqual(yield* stateAfter(`bulk-${runs}`, bulk, steps), reference)
        return reference
      })

    it.effect.prop(
      "enrols and stops the same contacts as one row after the other",
      [FastCheck.array(step, { maxLength: 10 })],
      ([steps]) => Effect.asVoid(compare([...steps, "stop", "enrol"])),
      { fastCheck: { numRuns: propertyRuns(50) } }
    )

    it.effect("does so in many statements and transactions", () =>
      Effect.gen(function*() {
        const people = Array.makeBy(2_500, (index) => index % 7 === 3 ? null : index - index % 5)
        const stops = Array.makeBy(1_200, (index) => index * 3)
        const state = yield* compare([
          ["cohort", people],
          ["cohort", Array.makeBy(300, (index) => 2_400 + index)],
          ["stop_file", stops],
          "enrol",
          "stop",
          ["cohort", Array.makeBy(600, (index) => 3_000 + index)],
          "enrol"
        ])
        assert.isAbove(state.totals.contacts.waiting, 100)
        assert.isAbove(state.totals.contacts.finished, 100)
      }))
  })
}
