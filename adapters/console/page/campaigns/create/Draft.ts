import type { AllowedSchedule, CampaignsCreateBody } from "../../api/types.js"
import { usualSchedule } from "../Schedule.js"

/** A campaign before its creation, as the form has it. */
export interface Draft {
  readonly name: string
  readonly app: string
  readonly version: number
  readonly line: string
  readonly numbers: ReadonlyArray<string>
  readonly schedule: AllowedSchedule
  readonly rate: string
  readonly retries: string
  readonly interval: string
  readonly days: string
  readonly webhook: string
  /** Conduct when a machine answers; empty where nobody is to find out. */
  readonly machines: "" | "report" | "hang_up" | "leave_message"
  readonly message: string
}

export const newCampaign: Draft = {
  name: "",
  app: "",
  version: 1,
  line: "",
  numbers: [],
  schedule: usualSchedule,
  rate: "2",
  retries: "3",
  interval: "30",
  days: "7",
  webhook: "",
  machines: "",
  message: ""
}

/** Conduct of the campaign when something other than a person answers. */
const answersOf = ({ machines, message }: Draft) => {
  if (machines === "") return {}
  const machine = machines === "leave_message" ? { action: machines, message } : { action: machines }
  return { answer_handling: { machine } }
}

const dayMillis = 86_400_000

/** The request that creates the campaign, which begins now and is paused until its start. */
export const bodyOf = (draft: Draft): CampaignsCreateBody => {
  const now = Date.now()
  return {
    name: draft.name,
    app_config: {
      app_id: draft.app,
      app_version: draft.version,
      attempts_per_second: Number(draft.rate),
      connection_configs: [{ connection_id: draft.line, phone_numbers: draft.numbers }],
      retry_config: { max_retries: Number(draft.retries), retry_interval_minutes: Number(draft.interval) },
      ...answersOf(draft),
      ...(draft.webhook !== "" && { webhook_config: { url: draft.webhook } })
    },
    start_timestamp: new Date(now).toISOString(),
    end_timestamp: new Date(now + Number(draft.days) * dayMillis).toISOString(),
    allowed_schedule: draft.schedule
  }
}
