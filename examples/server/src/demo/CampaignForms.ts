import type { CampaignsCreateBody } from "@trunkline/client"
import type { DemoPlan } from "./DemoPlan.js"
import type { Receiver } from "./Receiver.js"

const day = 86_400_000

/** A campaign that starts at once, dials around the clock and retries soon, so that a spectator sees all of it. */
export const campaignBody = (plan: DemoPlan, started: number, receiver: Receiver | null): CampaignsCreateBody => ({
  name: "Payment reminders",
  description: "The demo: everyone in the contacts file, on the simulated phone network",
  app_config: {
    ...plan.agent,
    attempts_per_second: 2,
    connection_configs: [{
      connection_id: plan.connection.connection_id,
      phone_numbers: plan.connection.phone_numbers
    }],
    retry_config: {
      max_retries: 2,
      retry_interval_minutes: [2, 4],
      retry_on: { provider_error: { max_retries: 1, retry_interval_minutes: 2 } }
    },
    ...(receiver === null ? {} : { webhook_config: { url: receiver.url, metadata: { source: "demo" } } })
  },
  start_timestamp: new Date(started).toISOString(),
  end_timestamp: new Date(started + 7 * day).toISOString(),
  allowed_schedule: {
    allowed_start_time: "00:00",
    allowed_end_time: "24:00",
    allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    timezone: "Asia/Kolkata"
  }
})

/** The contacts of the demo, and how their columns are read. */
export const contactsForm = ({ contacts, transformation }: DemoPlan) => ({
  name: contacts.name.replace(/[^\p{L}\p{N}_ -]/gu, " ").slice(0, 50),
  cohort_file: contacts.text,
  cohort_transformation_file: transformation
})
