import type { CampaignId, DeploymentId, Scope, WebhookConfig } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import type { OutboxRow } from "../outbox/OutboxRow.js"

/** Owner of a webhook: a campaign or a deployment. Single calls have their own configuration instead. */
export type WebhookOwner =
  | { readonly kind: "campaign"; readonly id: CampaignId }
  | { readonly kind: "deployment"; readonly id: DeploymentId }

/** Current state of an owner. */
export interface OwnedWebhook {
  /** Null without a webhook. */
  readonly config: WebhookConfig | null
  /** True once the owner has ended: only pending webhooks are still sent. */
  readonly isOver: boolean
}

/** Owner of a webhook; null for single calls. */
export const ownerOf = ({ campaign_id, deployment_id }: Pick<OutboxRow, "campaign_id" | "deployment_id">):
  | WebhookOwner
  | null =>
{
  if (campaign_id !== null) return { kind: "campaign", id: campaign_id }
  return deployment_id === null ? null : { kind: "deployment", id: deployment_id }
}

/** Looks up and changes the webhook configurations of campaigns and deployments. The host provides it. */
export class WebhookOwners extends Context.Tag("@trunkline/webhooks/WebhookOwners")<WebhookOwners, {
  /** Current state of an owner; none if the workspace does not have it. */
  readonly find: (scope: Scope, owner: WebhookOwner) => Effect.Effect<Option.Option<OwnedWebhook>>
  /**
   * Replaces the secret of a campaign, as part of the running transaction. Does nothing for a campaign that does not exist
   * or has no webhook. `actor` is the label of the API key of the caller.
   */
  readonly replaceSecret: (
    scope: Scope,
    campaign: CampaignId,
    change: { readonly secret: string; readonly actor: string }
  ) => Effect.Effect<void>
}>() {
  /** No owners: every webhook is signed with the secret it was enqueued with. */
  static readonly layerNone = Layer.succeed(WebhookOwners, {
    find: () => Effect.succeed(Option.none()),
    replaceSecret: () => Effect.void
  })
}
