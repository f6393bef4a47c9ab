import { AgentCatalog } from "@trunkline/agents"
import { CampaignStore } from "@trunkline/campaigns"
import { CohortStore } from "@trunkline/cohorts"
import { type AfterCallResult, type CostLedger, maskPhone, type Scope, uncheckedInstance } from "@trunkline/kernel"
import type { Attempt, AttemptResult, Interaction } from "@trunkline/telephony"
import { Fact, FactNameLookup } from "@trunkline/warehouse"
import { Cache, Data, DateTime, Duration, Effect, Layer, Option } from "effect"
import { endedByValues } from "./Analytics.js"
import { endedFields } from "./EndedFields.js"

/** Cost of a call: an amount, and an ISO 4217 currency. */
export interface CallCost {
  readonly amount: number
  readonly currency: string
  /** False when a part of the cost is unknown, and is not in the amount. Absent: true. */
  readonly complete?: boolean
}

const microsPerUnit = 1_000_000

/** The columns of facts about a ledger. Its amount is a number there, as analysts add and divide it. */
export const costFields = ({ amount_micros, complete, currency }: CostLedger) => ({
  cost_amount: amount_micros === null ? null : amount_micros / microsPerUnit,
  cost_currency: amount_micros === null ? null : currency,
  cost_complete: complete ? 1 as const : 0 as const
})

/** The columns of facts about a cost that the host has computed, or about the ledger. */
const costColumns = (cost: CallCost | null, costs: CostLedger | undefined) =>
  cost !== null
    ? {
      cost_amount: cost.amount,
      cost_currency: cost.currency,
      cost_complete: cost.complete === false ? 0 as const : 1 as const
    }
    : costs === undefined
    ? { cost_amount: null, cost_currency: null, cost_complete: null }
    : costFields(costs)

/** Data of a fact besides the attempt itself. */
interface FactContext {
  readonly user_contact_hashed: string
  readonly exposeUserContact: boolean
  readonly cost: CallCost | null
  /** Null of agents that want nothing to be found out after the call. */
  readonly after: AfterCallResult | null
}

const countTurns = (interaction: Interaction | null, role: "agent" | "user") =>
  interaction && interaction.transcript.filter((turn) => turn.role === role).length

const addNullable = (a: number | null, b: number | null) => a === null || b === null ? null : a + b

/** Epoch milliseconds of a UUIDv7: its first 48 bits (RFC 9562, section 5.7). */
const uuidTime = (uuid: string): number => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)

/** Converts an ended attempt to a fact of the warehouse. The attempt was scheduled when its id was created. */
export const toFact = (attempt: Attempt, result: AttemptResult, context: FactContext): Fact => {
  const { interaction } = result
  const fields = endedFields(attempt, result, context.after)
  const scheduleTime = uuidTime(attempt.attempt_id)
  const [user_turns, agent_turns] = [countTurns(interaction, "user"), countTurns(interaction, "agent")]
  return uncheckedInstance(Fact, {
    user_contact_hashed: context.user_contact_hashed,
    answered_by: fields.answer?.answered_by ?? null,
    answer_action: fields.answer?.action ?? null,
    canary_arm: attempt.canary?.arm ?? null,
    direction: attempt.kind,
    channel_type: "v2v",
    channel_provider: attempt.channel_provider,
    channel_protocol: attempt.channel_protocol,
    extraction_status: fields.extraction?.status ?? null,
    ended_by: interaction && endedByValues[interaction.ended_by],
    num_messages: addNullable(user_turns, agent_turns),
    user_turns,
    agent_turns,
    is_debug_call: 0,
    has_log_issues: 0,
    scheduled_at: Number.isNaN(scheduleTime) ? null : DateTime.unsafeMake(scheduleTime),
    ring_seconds: interaction && Math.max(0, interaction.started_at - attempt.attempted_at) / 1000,
    average_agent_response_time_in_seconds: interaction && interaction.average_agent_response_seconds,
    average_user_response_time_in_seconds: interaction && interaction.average_user_response_seconds,
    ...costColumns(context.cost, result.costs),
    ...fields,
    user_phone_number: context.exposeUserContact ? attempt.user_phone_number : maskPhone(attempt.user_phone_number)
  })
}

/** Time that names are cached, so that a renaming shows on later facts. */
const nameTtl = Duration.seconds(10)

interface NameQuery extends Pick<Fact, "app_id" | "campaign_id" | "cohort_id" | "deployment_id"> {
  readonly scope: Scope
}

/** Names of the agents, campaigns and cohorts that facts refer to. */
export const namesLayer = Layer.effect(
  FactNameLookup,
  Effect.gen(function*() {
    const agents = yield* AgentCatalog
    const campaigns = yield* CampaignStore
    const cohorts = yield* CohortStore

    const cohortName = ({ campaign_id, cohort_id, deployment_id, scope }: NameQuery) => {
      if (cohort_id === null) return Effect.succeedNone
      const owner = campaign_id !== null
        ? { kind: "campaign" as const, id: campaign_id }
        : deployment_id !== null
        ? { kind: "deployment" as const, id: deployment_id }
        : null
      return owner === null
        ? Effect.succeedNone
        : Effect.map(cohorts.find(scope, owner, cohort_id), Option.map(({ name }) => name))
    }

    const lookUp = (query: NameQuery) =>
      Effect.all({
        app_name: Effect.map(agents.find(query.scope, query.app_id), Option.map(({ name }) => name ?? query.app_id)),
        campaign_name: query.campaign_id === null
          ? Effect.succeedNone
          : Effect.map(campaigns.find(query.scope, query.campaign_id), Option.map(({ name }) => name)),
        cohort_name: cohortName(query)
      }).pipe(Effect.map((names) => ({
        app_name: Option.getOrNull(names.app_name),
        campaign_name: Option.getOrNull(names.campaign_name),
        cohort_name: Option.getOrNull(names.cohort_name)
      })))

    const cache = yield* Cache.make({ capacity: 1_000, timeToLive: nameTtl, lookup: lookUp })
    return {
      of: (scope: Scope, { app_id, campaign_id, cohort_id, deployment_id }: Omit<NameQuery, "scope">) =>
        cache.get(Data.struct({ scope, app_id, campaign_id, cohort_id, deployment_id }))
    }
  })
)
