import type { CampaignId, DeploymentId, Scope, WebhookConfig } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import type { OutboxRow } from "../outbox/OutboxRow.js"

/** Whose results are posted: a campaign's or a deployment's. Single calls carry their own configuration. */
export type WebhookOwner =
  | { readonly kind: "campaign"; readonly id: CampaignId }
  | { readonly kind: "deployment"; readonly id: DeploymentId }

/** What is known of an owner now. */
export interface OwnedWebhook {
  /** Null when it posts nothing. */
  readonly config: WebhookConfig | null
  /** Whether it is over: nothing is posted any more but what waits already. */
  readonly isOver: boolean
}

/** The owner of a webhook; null for single calls. */
export const ownerOf = ({ campaign_id, deployment_id }: Pick<OutboxRow, "campaign_id" | "deployment_id">):
  | WebhookOwner
  | null =>
{
  if (campaign_id !== null) return { kind: "campaign", id: campaign_id }
  return deployment_id === null ? null : { kind: "deployment", id: deployment_id }
}

/** Knows where campaigns and deployments post their results, and with which secrets: they themselves say. */
export class WebhookOwners extends Context.Tag("@trunkline/webhooks/WebhookOwners")<WebhookOwners, {
  /** What the owner says now; none when the workspace has no such owner. */
  readonly find: (scope: Scope, owner: WebhookOwner) => Effect.Effect<Option.Option<OwnedWebhook>>
  /**
   * Puts a secret in place of the present one, as part of the running transaction. Nothing happens to a campaign that
   * is not there, or has no webhook. `actor` is the label of the key that asks.
   */
  readonly replaceSecret: (
    scope: Scope,
    campaign: CampaignId,
    change: { readonly secret: string; readonly actor: string }
  ) => Effect.Effect<void>
}>() {
  /** There are no owners: every webhook is signed with the secret that it was put in with. */
  static readonly layerNone = Layer.succeed(WebhookOwners, {
    find: () => Effect.succeed(Option.none()),
    replaceSecret: () => Effect.void
  })
}
