import { BusinessTime, type CampaignId, PhoneNumber, sha256, VirtualClock } from "@trunkline/kernel"
import { type Attempt, CallHandler, type CallReport } from "@trunkline/telephony"
import { Effect, Layer } from "effect"
import { CampaignProgress, CampaignRunner, Campaigns, type Canaries, CanaryCounts, Roster } from "../../src/index.js"
import { campaignBody, campaigns, mondayMorning, people, scope } from "../Fixtures.js"

/** A number of a person in a seed, evenly spread from 0 to 1. */
const lotOf = (seed: number, number: string): number =>
  new DataView(sha256(`${seed} ${number}`).buffer).getUint32(0) / 2 ** 32

/** A campaign with a canary in simulated time. */
export interface CanaryCampaign {
  readonly seed: number
  readonly contacts: number
  /** Share of people with whom a version of the agent is done. */
  readonly done: (version: number) => number
  readonly canary?: Record<string, unknown> | null
  readonly config?: Record<string, unknown>
  /** Seconds of a conversation. */
  readonly seconds?: (version: number) => number
  readonly report?: (version: number, isDone: boolean) => Partial<CallReport>
  /** Runs beside the campaign. */
  readonly during?: (id: CampaignId) => Effect.Effect<void, unknown, Campaigns | Canaries>
}

/** An agent that is done with some people, by its version. */
const agentOf = (
  { done, report = () => ({}), seconds = () => 20, seed }: CanaryCampaign,
  history: ReadonlyArray<Attempt>
) =>
  Layer.succeed(CallHandler, {
    handle: (leg, brief) =>
      Effect.gen(function*() {
        const { app_version, user_phone_number } = brief
        yield* BusinessTime.sleep(seconds(app_version) * 1000)
        yield* Effect.ignore(leg.hangUp)
        const retries = history.filter((one) => one.user_phone_number === user_phone_number).length
        const isDone = lotOf(seed + retries * 1_000, user_phone_number) < done(app_version)
        return {
          agent_done: isDone,
          ended_by: "agent",
          language_name: "English",
          transcript: [],
          final_agent_variables: {},
          output_agent_variables: { paid: isDone },
          average_agent_response_seconds: null,
          average_user_response_seconds: null,
          business_retry: false,
          reschedule_at: null,
          fault: null,
          ...report(app_version, isDone)
        }
      })
  })

const numberIn = (seed: number, index: number) =>
  PhoneNumber.make(`+919${String(seed * 100_000 + index).padStart(9, "0")}`)

/** Runs a campaign to its end; returns its progress, its record, the counts of its canary and all attempts. */
export const runCanary = (given: CanaryCampaign) => {
  const history: Array<Attempt> = []
  const contacts = people(given.contacts).map((one, index) => ({
    ...one,
    user_phone_number: numberIn(given.seed, index)
  }))
  const program = Effect.gen(function*() {
    const service = yield* Campaigns
    yield* Effect.forkScoped((yield* CampaignRunner).run)
    const { canary = { app_version: 2, percent: 20 } } = given
    const body = campaignBody(canary === null ? {} : { canary }, { attempts_per_second: 10, ...given.config })
    const { campaign_id } = yield* service.create(scope, body, "test")
    if (given.during !== undefined) yield* Effect.forkScoped(Effect.orDie(given.during(campaign_id)))
    for (;;) {
      const { status } = yield* service.get(scope, campaign_id)
      if (status === "ended" || status === "cancelled") break
      yield* BusinessTime.sleep("1 minute")
    }
    const campaign = yield* service.get(scope, campaign_id)
    return {
      campaign,
      canary: campaign.canary ?? null,
      counts: yield* (yield* CanaryCounts).of(campaign_id, campaign.canary?.number ?? 1),
      history,
      progress: yield* (yield* CampaignProgress).of(scope, campaign_id)
    }
  }).pipe(
    Effect.provide(campaigns({ people: Roster.layerOf(contacts), history, spoil: agentOf(given, history) }))
  )
  return VirtualClock.run(Effect.scoped(program), { start: mondayMorning })
}
