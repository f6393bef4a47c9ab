import type { Invalid, RuleViolation } from "@trunkline/errors"
import { checkWebAddress, CostCurrency, type Scope, WebAddressRules } from "@trunkline/kernel"
import { agentIssues, AgentVersions, connectionIssues, Connections, failOnIssues } from "@trunkline/telephony"
import { Effect } from "effect"
import type { CanarySettings } from "../canary/Canary.js"
import type { AppConfig } from "./Campaign.js"
import { checkBudget } from "./CampaignBudget.js"
import { checkCanaryVersion } from "./CampaignRules.js"
import { canaryIssues } from "./CanaryCheck.js"

/**
 * Makes the check of a campaign's configuration and of its canary: the agent's versions, the variable of the metric, the lines,
 * the address of the webhook and the currency of the budget.
 */
export const makeConfigCheck = Effect.gen(function*() {
  const connections = yield* Connections
  const agents = yield* AgentVersions
  const addresses = yield* WebAddressRules
  const currency = yield* CostCurrency

  return (
    scope: Scope,
    config: AppConfig,
    canary?: CanarySettings | null
  ): Effect.Effect<void, Invalid | RuleViolation> =>
    Effect.gen(function*() {
      yield* checkBudget(config.budget, currency)
      if (config.webhook_config !== null) {
        yield* checkWebAddress(config.webhook_config.url, ["body", "app_config", "webhook_config", "url"], addresses)
      }
      if (canary != null) yield* checkCanaryVersion(canary.app_version, config, ["body", "canary"])
      const issues = yield* Effect.all([
        agentIssues(agents, scope, { ...config, loc: ["body", "app_config"] }),
        canary == null
          ? Effect.succeed([])
          : canaryIssues(agents, scope, canary, { ...config, loc: ["body", "canary"] }),
        connectionIssues(
          connections,
          scope,
          config.connection_configs.map((line, index) => ({
            ...line,
            loc: ["body", "app_config", "connection_configs", index],
            key: "phone_numbers"
          }))
        )
      ])
      yield* failOnIssues(issues.flat())
    })
})
