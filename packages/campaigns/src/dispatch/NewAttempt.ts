import { type AttemptId, type ConnectionId, Ids, type PhoneNumber, uncheckedInstance } from "@trunkline/kernel"
import {
  afterMessage,
  Attempt,
  AttemptListener,
  AttemptStore,
  blockedNumber,
  Carriers,
  type Connection,
  countEnd,
  notConnected,
  summarizeOutcome
} from "@trunkline/telephony"
import { Effect, Option } from "effect"
import { runningCanary } from "../campaign/CampaignRules.js"
import type { OwnedCampaign } from "../campaign/CampaignStore.js"
import { armOf } from "../canary/Arms.js"
import { attemptOutcomeOf } from "../contacts/AttemptOutcome.js"
import type { Contact } from "../contacts/Contact.js"
import { refuse } from "../contacts/GateResult.js"
import { DialQueue } from "../store/DialQueue.js"
import type { KnownLine } from "./DialLines.js"

/** Identity of an attempt, and the line that it dials from. */
interface AttemptOrigin {
  readonly attempt_id: AttemptId
  readonly attempted_at: number
  readonly connection_id: ConnectionId
  /** None when the connection is not configured; such an attempt is never dialled. */
  readonly connection: Option.Option<Connection>
  readonly from: PhoneNumber
}

/** Creates attempts of campaigns, claimed and without a result. */
export const makeNewAttempt = Effect.map(
  Carriers,
  (carriers) => ({ campaign, scope }: OwnedCampaign, contact: Contact, origin: AttemptOrigin): Attempt => {
    const { answer_handling, app_id, app_version, record = null, webhook_config } = campaign.app_config
    const canary = runningCanary(campaign)
    const arm = canary && armOf(campaign.campaign_id, canary, contact.user_phone_number)
    const hasMessage = (contact.counters.messages ?? 0) > 0
    const provider = Option.match(origin.connection, {
      onNone: () => "none",
      onSome: (connection) => connection.provider
    })
    return uncheckedInstance(Attempt, {
      attempt_id: origin.attempt_id,
      org_id: scope.org_id,
      workspace_id: scope.workspace_id,
      kind: "campaign",
      app_id,
      app_version: canary !== null && arm === "canary" ? canary.app_version : app_version,
      campaign_id: campaign.campaign_id,
      cohort_id: contact.cohort_id,
      deployment_id: null,
      connection_id: origin.connection_id,
      channel_provider: provider,
      channel_protocol: Option.match(carriers.find(provider), {
        onNone: () => "none",
        onSome: ({ protocol }) => protocol
      }),
      user_identifier: contact.user_identifier,
      user_phone_number: contact.user_phone_number,
      agent_phone_number: origin.from,
      retry_attempt: contact.attempts,
      agent_variables: contact.agent_variables,
      app_overrides: record === null ? contact.app_overrides : { record, ...contact.app_overrides },
      webhook: webhook_config,
      attempted_at: origin.attempted_at,
      state: "claimed",
      provider_call_id: null,
      result: null,
      ...(answer_handling !== null && {
        answer_handling: hasMessage ? afterMessage(answer_handling) : answer_handling
      }),
      ...(canary !== null && arm !== null && { canary: { number: canary.number, arm } })
    })
  }
)

const blockedOutcome = notConnected("blocked", blockedNumber)

/**
 * Records attempts to call blocked numbers, which end without a dial but with a result and a webhook, like any other.
 * `record` joins the running transaction and claims the contact for the attempt; `committed` notifies the listener after
 * the commit.
 */
export const makeBlockedAttempts = Effect.gen(function*() {
  const ids = yield* Ids
  const store = yield* AttemptStore
  const queue = yield* DialQueue
  const listener = yield* AttemptListener
  const newAttempt = yield* makeNewAttempt

  const record = (ownedCampaign: OwnedCampaign, contact: Contact, { connection, line }: KnownLine, at: number) =>
    Effect.gen(function*() {
      const [from] = line.phone_numbers
      if (from === undefined) return []
      const attempt_id = yield* ids.attemptId
      const { campaign_id, user_phone_number } = contact
      const { connection_id } = line
      const open = newAttempt(ownedCampaign, contact, { attempt_id, attempted_at: at, connection_id, connection, from })
      const result = { ...summarizeOutcome(blockedOutcome, null), next_action_status: null, finished_at: at }
      const attempt = uncheckedInstance(Attempt, { ...open, state: "ended", result })
      const claims = [{ user_phone_number, attempt_id, from }]
      yield* queue.claimMany([{ scope: ownedCampaign.scope, campaign_id, claims, at, isDialled: false }])
      yield* queue.settleMany([{
        campaign_id,
        user_phone_number,
        attempt_id,
        outcome: attemptOutcomeOf(blockedOutcome, null),
        last_outcome: result,
        decision: refuse("blocked_number", at),
        next: null
      }])
      yield* store.insertMany([attempt])
      yield* listener.onEnd([attempt], new Map())
      return [attempt]
    })

  return {
    record,
    committed: (attempts: ReadonlyArray<Attempt>) => {
      for (const attempt of attempts) countEnd(attempt, blockedOutcome)
      return listener.onCommit(attempts)
    }
  }
})
