import { Context, Effect } from "effect"
import type { Scope } from "./Scope.js"

/**
 * Told whenever a campaign or a deployment is created or changed with a `webhook_config`, inside the transaction that
 * keeps the change: what it stores is kept with the change or not at all. Nobody listens, unless provided.
 */
export class WebhookConfigured extends Context.Reference<WebhookConfigured>()("@trunkline/kernel/WebhookConfigured", {
  defaultValue: (): WebhookConfigured.Service => ({ configured: () => Effect.void })
}) {}

export declare namespace WebhookConfigured {
  /** Who listens. */
  export interface Service {
    /** `url` is where the webhooks of this owner go from now on. */
    readonly configured: (scope: Scope, url: string) => Effect.Effect<void>
  }
}
