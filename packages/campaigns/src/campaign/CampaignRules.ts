import { RuleViolation } from "@trunkline/errors"
import { withPreviousSecret } from "@trunkline/kernel"
import { type DateTime, Effect } from "effect"
import type { Canary } from "../canary/Canary.js"
import type { AppConfig, Campaign } from "./Campaign.js"

/** Fails unless the end of a campaign is after its start and in the future. */
export const checkEnd = (
  start: DateTime.Utc,
  end: DateTime.Utc,
  now: DateTime.Utc
): Effect.Effect<void, RuleViolation> =>
  end.epochMillis <= start.epochMillis
    ? Effect.fail(RuleViolation.at(["body", "end_timestamp"], "Must be after start_timestamp"))
    : end.epochMillis <= now.epochMillis
    ? Effect.fail(RuleViolation.at(["body", "end_timestamp"], "Must be in the future"))
    : Effect.void

/** Keeps the stored secret of a webhook that the request sends back without one, as readers see it. */
export const keepSecret = (config: AppConfig, before: Campaign): AppConfig =>
  config.webhook_config === null
    ? config
    : { ...config, webhook_config: withPreviousSecret(config.webhook_config, before.app_config.webhook_config) }

/** The canary that a campaign runs; null without one. */
export const runningCanary = ({ canary }: Pick<Campaign, "canary">): Canary | null =>
  canary?.status === "running" ? canary : null

/** Fails to change the agent of a campaign while its canary runs, as its calls could not be compared any more. */
export const checkAgentChange = (config: AppConfig, before: Campaign): Effect.Effect<void, RuleViolation> => {
  const { app_id, app_version } = before.app_config
  const name = config.app_id !== app_id ? "app_id" : "app_version"
  return runningCanary(before) === null || (config.app_id === app_id && config.app_version === app_version)
    ? Effect.void
    : Effect.fail(RuleViolation.at(
      ["body", "app_config", name],
      "Cannot be changed while the campaign's canary runs: stop or promote the canary first"
    ))
}

/** Fails unless a canary tries another version than that of its campaign. */
export const checkCanaryVersion = (
  version: number,
  { app_version }: AppConfig,
  loc: ReadonlyArray<string>
): Effect.Effect<void, RuleViolation> =>
  version === app_version
    ? Effect.fail(RuleViolation.at([...loc, "app_version"], "Must be another version than that of the campaign"))
    : Effect.void
