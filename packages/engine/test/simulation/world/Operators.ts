import {
  type Campaign,
  type CampaignAction,
  CampaignBell,
  Campaigns,
  CampaignStore,
  PatchCampaign
} from "@trunkline/campaigns"
import { Cohort, type CohortCategory, CohortStore, type CohortUser, noProgress } from "@trunkline/cohorts"
import { BusinessTime, type CampaignId, CohortId, type PhoneNumber, Transactions } from "@trunkline/kernel"
import { BlockedNumbers, CreateOutbound, Outbounds } from "@trunkline/telephony"
import { Effect, Schema } from "effect"
import { scope } from "../../fixtures.js"
import type { Dice } from "./Dice.js"
import type { Journal } from "./Journal.js"
import { configOf, type PlannedCampaign, type PlannedDeed, type Scenario, scheduleOf } from "./Scenario.js"
import { campaignSeen } from "./Seen.js"
import type { World } from "./World.js"

const actor = "operator"
const minute = 60_000

/** People who use the engine: they hear of what they have asked for only while it lives. */
export class Operators {
  readonly #dice: Dice
  #cohorts = 0

  constructor(readonly world: World, readonly journal: Journal, readonly scenario: Scenario) {
    this.#dice = world.dice("operators")
  }

  /** Creates a campaign; answers with its id. */
  create({ body }: PlannedCampaign) {
    const { world } = this
    return Effect.gen(function*() {
      const campaign = yield* (yield* Campaigns).create(scope, body, actor)
      world.add({ kind: "acknowledged", action: "create", campaign: campaignSeen(campaign) })
      return campaign.campaign_id
    })
  }

  /** Adds a cohort, or a stop file, as one that has been read to its end. */
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
      yield* (yield* CampaignBell).cohortCompleted(campaign)
    })
  }

  /** Does something that chance decides the rest of. */
  act({ deed }: PlannedDeed) {
    switch (deed) {
      case "pause":
      case "resume":
      case "cancel":
        return this.#onSome((campaign) => this.#act(campaign, deed))
      case "edit":
        return this.#onSome((campaign) => this.#edit(campaign))
      case "stop file":
        return this.#onSome(({ campaign_id }) => this.addCohort(campaign_id, "stop_file", this.#some(0.3)))
      case "cohort":
        return this.#onSome(({ campaign_id, status }) =>
          status === "ended" || status === "cancelled"
            ? Effect.void
            : this.addCohort(campaign_id, "cohort", this.#some(0.5))
        )
      case "block":
        return this.#block(this.#some(0.2))
      case "unblock":
        return this.#unblock()
      case "call":
        return this.#call()
      case "clock":
        return Effect.sync(() => this.world.setClock(this.#dice.of([-60, -1, 1, 60]) * minute))
    }
  }

  #some(share: number): ReadonlyArray<PhoneNumber> {
    return this.scenario.numbers.filter(() => this.#dice.often(share))
  }

  #onSome<E, R>(deed: (campaign: Campaign) => Effect.Effect<void, E, R>) {
    const pick = this.#dice.between(0, 9)
    return Effect.gen(function*() {
      const open = yield* (yield* CampaignStore).open
      const chosen = open[pick % Math.max(1, open.length)]
      if (chosen !== undefined) yield* deed(chosen.campaign)
    })
  }

  #act({ campaign_id }: Pick<Campaign, "campaign_id">, action: CampaignAction) {
    const { world } = this
    return Effect.gen(function*() {
      const campaign = yield* (yield* Campaigns).act(scope, campaign_id, action, actor)
      world.add({ kind: "acknowledged", action, campaign: campaignSeen(campaign) })
    })
  }

  /** Pauses a campaign that runs, edits it, and lets it go on. */
  #edit({ allowed_schedule, app_config, campaign_id }: Campaign) {
    const { world } = this
    const dice = this.#dice
    const config = { ...configOf(dice, this.scenario.connections), connection_configs: app_config.connection_configs }
    const schedule = scheduleOf(dice, allowed_schedule.timezone, world.now)
    const patch = Schema.decodeUnknownSync(PatchCampaign)({
      app_config: { ...config, phone_rotation: { agent: false } },
      ...(dice.often(0.5) && { allowed_schedule: schedule }),
      ...(dice.often(0.3) && { end_timestamp: new Date(world.now + dice.between(30, 300) * minute).toISOString() })
    })
    const pause = Effect.ignore(this.#act({ campaign_id }, "pause"))
    const resume = this.#act({ campaign_id }, "resume")
    return Effect.gen(function*() {
      yield* pause
      const campaign = yield* (yield* Campaigns).patch(scope, campaign_id, patch, actor)
      world.add({ kind: "acknowledged", action: "patch", campaign: campaignSeen(campaign) })
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
    const number = this.#dice.between(0, 1) === 0 ? this.scenario.numbers[0] : "+919876599999"
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
