import {
  type Campaign,
  type CampaignAction,
  Campaigns,
  CampaignSignals,
  CampaignStore,
  PatchCampaign
} from "@trunkline/campaigns"
import { Cohort, type CohortCategory, CohortStore, type CohortUser, noProgress } from "@trunkline/cohorts"
import { BusinessTime, type CampaignId, CohortId, type PhoneNumber, Transactions } from "@trunkline/kernel"
import { BlockedNumbers, CreateOutbound, Outbounds } from "@trunkline/telephony"
import { Effect, Schema } from "effect"
import { scope } from "../../Fixtures.js"
import type { Journal } from "./Journal.js"
import { configOf, type PlannedAction, type PlannedCampaign, type Scenario, scheduleOf } from "./Scenario.js"
import type { SeededRandom } from "./SeededRandom.js"
import { snapshotCampaign } from "./Snapshots.js"
import type { World } from "./World.js"

const actor = "operator"
const minute = 60_000

/** Users of the API, who receive a response only if the engine does not crash before. */
export class Operators {
  readonly #random: SeededRandom
  #cohorts = 0

  constructor(readonly world: World, readonly journal: Journal, readonly scenario: Scenario) {
    this.#random = world.random("operators")
  }

  /** Creates a campaign, and returns its id. */
  create({ body }: PlannedCampaign) {
    const { world } = this
    return Effect.gen(function*() {
      const campaign = yield* (yield* Campaigns).create(scope, body, actor)
      world.add({ kind: "acknowledged", action: "create", campaign: snapshotCampaign(campaign) })
      return campaign.campaign_id
    })
  }

  /** Adds a completed cohort or stop file. */
  addCohort(campaign: CampaignId, category: CohortCategory, numbers: ReadonlyArray<PhoneNumber>) {
    const { journal } = this
    const cohort_id = CohortId.make(`coh-${++this.#cohorts}`)
    return Effect.gen(function*() {
      const store = yield* CohortStore
      const now = yield* BusinessTime.date
      const owner = { kind: "campaign", id: campaign } as const
      const cohort = new Cohort({
        name: "People",
        cohort_id,
        cohort_category: category,
        progress: noProgress,
        status: "processing",
        source_type: "file_upload",
        created_by: actor,
        created_at: now,
        updated_at: now,
        result: null,
        updated_by: null,
        failure_reason: null
      })
      const users = numbers.map((user_phone_number, index): CohortUser => ({
        row: index + 1,
        user_phone_number,
        user_identifier: user_phone_number,
        agent_variables: {},
        app_overrides: {}
      }))
      const result = { total_records: users.length, valid_records: users.length, rejected_records: 0 }
      yield* (yield* Transactions).run(Effect.gen(function*() {
        yield* store.insert({ scope, owner, cohort, source_url: null })
        yield* store.keep(scope, cohort_id, { users, progress: noProgress })
        yield* store.index(scope, cohort_id, users)
        yield* store.finish(scope, cohort_id, { status: "completed", result, updated_at: now })
        journal.note({ kind: category === "cohort" ? "people" : "stopped", campaign, numbers })
      }))
      yield* (yield* CampaignSignals).cohortCompleted(campaign)
    })
  }

  /** Performs an action with random parameters. */
  act({ action }: PlannedAction) {
    switch (action) {
      case "pause":
      case "resume":
      case "cancel":
        return this.#onRandomCampaign((campaign) => this.#act(campaign, action))
      case "edit":
        return this.#onRandomCampaign((campaign) => this.#edit(campaign))
      case "stop file":
        return this.#onRandomCampaign(({ campaign_id }) =>
          this.addCohort(campaign_id, "stop_file", this.#randomNumbers(0.3))
        )
      case "cohort":
        return this.#onRandomCampaign(({ campaign_id, status }) =>
          status === "ended" || status === "cancelled"
            ? Effect.void
            : this.addCohort(campaign_id, "cohort", this.#randomNumbers(0.5))
        )
      case "block":
        return this.#block(this.#randomNumbers(0.2))
      case "unblock":
        return this.#unblock()
      case "call":
        return this.#call()
      case "clock":
        return Effect.sync(() => this.world.setClock(this.#random.pick([-60, -1, 1, 60]) * minute))
    }
  }

  #randomNumbers(share: number): ReadonlyArray<PhoneNumber> {
    return this.scenario.numbers.filter(() => this.#random.chance(share))
  }

  #onRandomCampaign<E, R>(action: (campaign: Campaign) => Effect.Effect<void, E, R>) {
    const pick = this.#random.between(0, 9)
    return Effect.gen(function*() {
      const open = yield* (yield* CampaignStore).open
      const chosen = open[pick % Math.max(1, open.length)]
      if (chosen !== undefined) yield* action(chosen.campaign)
    })
  }

  #act({ campaign_id }: Pick<Campaign, "campaign_id">, action: CampaignAction) {
    const { world } = this
    return Effect.gen(function*() {
      const campaign = yield* (yield* Campaigns).act(scope, campaign_id, action, actor)
      world.add({ kind: "acknowledged", action, campaign: snapshotCampaign(campaign) })
    })
  }

  /** Pauses an active campaign, edits it, and resumes it. */
  #edit({ allowed_schedule, app_config, campaign_id }: Campaign) {
    const { world } = this
    const random = this.#random
    const config = { ...configOf(random, this.scenario.connections), connection_configs: app_config.connection_configs }
    const schedule = scheduleOf(random, allowed_schedule.timezone, world.now)
    const patch = Schema.decodeUnknownSync(PatchCampaign)({
      app_config: { ...config, phone_rotation: { agent: false } },
      ...(random.chance(0.5) && { allowed_schedule: schedule }),
      ...(random.chance(0.3) && { end_timestamp: new Date(world.now + random.between(30, 300) * minute).toISOString() })
    })
    const pause = Effect.ignore(this.#act({ campaign_id }, "pause"))
    const resume = this.#act({ campaign_id }, "resume")
    return Effect.gen(function*() {
      yield* pause
      const campaign = yield* (yield* Campaigns).patch(scope, campaign_id, patch, actor)
      world.add({ kind: "acknowledged", action: "patch", campaign: snapshotCampaign(campaign) })
      yield* resume
    })
  }

  #block(phone_numbers: ReadonlyArray<PhoneNumber>) {
    return Effect.gen(function*() {
      yield* (yield* BlockedNumbers).add(scope, { phone_numbers, reason: null }, actor)
    })
  }

  #unblock() {
    return Effect.gen(function*() {
      const { list, remove } = yield* BlockedNumbers
      const { items } = yield* list(scope, { limit: 1, offset: 0 })
      yield* Effect.forEach(items, ({ phone_number }) => remove(scope, phone_number))
    })
  }

  #call() {
    const { world } = this
    const [connection] = this.scenario.connections
    const number = this.#random.between(0, 1) === 0 ? this.scenario.numbers[0] : "+919876599999"
    return Effect.gen(function*() {
      const body = Schema.decodeUnknownSync(CreateOutbound)({
        app_config: {
          app_id: "collections",
          app_version: 1,
          connection_config: {
            connection_id: connection?.connection_id,
            agent_phone_number: connection?.phone_numbers[0]
          }
        },
        user_config: { user_phone_number: number },
        webhook_config: { url: "https://hooks.example.com/3" }
      })
      const attempt = yield* (yield* Outbounds).start(scope, body)
      world.add({ kind: "promised", attempt })
    })
  }
}
