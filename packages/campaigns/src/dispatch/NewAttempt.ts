import { type AttemptId, type ConnectionId, type PhoneNumber, trusted } from "@trunkline/kernel"
import { Attempt, Carriers, type Connection } from "@trunkline/telephony"
import { Effect, Option } from "effect"
import type { OwnedCampaign } from "../campaign/CampaignStore.js"
import type { Contact } from "../contacts/Contact.js"

/** From where somebody is called. */
interface Origin {
  readonly attempt_id: AttemptId
  readonly attempted_at: number
  readonly connection_id: ConnectionId
  /** None where the connection is not configured: then nobody is dialled on it. */
  readonly connection: Option.Option<Connection>
  readonly from: PhoneNumber
}

/** Makes the attempts of campaigns: claimed, and without a result. */
export const makeNewAttempt = Effect.map(
  Carriers,
  (carriers) => ({ campaign, scope }: OwnedCampaign, contact: Contact, origin: Origin): Attempt => {
    const { app_id, app_version, webhook_config } = campaign.app_config
    const provider = Option.match(origin.connection, { onNone: () => "none", onSome: (found) => found.provider })
    return new Attempt({
      attempt_id: origin.attempt_id,
      org_id: scope.org_id,
      workspace_id: scope.workspace_id,
      kind: "campaign",
      app_id,
      app_version,
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
      app_overrides: contact.app_overrides,
      webhook: webhook_config,
      attempted_at: origin.attempted_at,
      state: "claimed",
      provider_call_id: null,
      result: null
    }, trusted)
  }
)
