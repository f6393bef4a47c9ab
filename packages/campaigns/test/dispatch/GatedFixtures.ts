import { Effect } from "effect"
import { CampaignRunner, Campaigns } from "../../src/index.js"
import { campaignBody, mondayMorning, scope } from "../Fixtures.js"

export const start = { start: mondayMorning }

export const running = Effect.flatMap(CampaignRunner, (runner) => Effect.forkScoped(runner.run))

export const created = (config: Record<string, unknown> = {}, changes: Record<string, unknown> = {}) =>
  Effect.flatMap(Campaigns, (service) => service.create(scope, campaignBody(changes, config), "demo"))
