import { CreateCampaign } from "@trunkline/campaigns"
import type { RehearsalRequest } from "@trunkline/rehearsal"
import { Schema } from "effect"

const campaign = Schema.decodeUnknownSync(CreateCampaign)({
  name: "Rehearsed",
  app_config: {
    app_id: "agent",
    app_version: 1,
    attempts_per_second: 5,
    connection_configs: [{ connection_id: "line", phone_numbers: ["+911140000001"] }],
    retry_config: { max_retries: 1 },
    webhook_config: { url: "https://hooks.example/calls", secret: "whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0" }
  },
  start_timestamp: "2026-03-02T03:30:00Z",
  end_timestamp: "2026-03-06T03:30:00Z",
  allowed_schedule: { allowed_start_time: "09:00", allowed_end_time: "18:00", allowed_days: ["Monday", "Tuesday"] }
})

/** A rehearsal of so many contacts. */
export const requestOf = (contacts: number): RehearsalRequest => ({
  campaign,
  contacts,
  seed: "thread",
  maxConcurrentCalls: 50,
  maxChannels: { line: 40 },
  prices: { currency: "INR", per_minute: [1, 2], pulse_seconds: 60 },
  lowestRate: false
})
