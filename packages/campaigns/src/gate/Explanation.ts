import { DateTime } from "effect"
import type { Decision, GateReason } from "./Decision.js"

const sentences: Record<GateReason, string> = {
  allowed: "Nothing speaks against the call",
  new: "Nothing speaks against a call, which is made when its turn comes",
  campaign_scheduled: "The campaign has not started",
  campaign_paused: "The campaign is paused",
  outside_window: "The campaign does not dial at this hour",
  retry_interval: "The last attempt is followed by another one, which is not due yet",
  rate: "The campaign dials no faster than its attempts per second",
  no_capacity: "All lines are in use",
  line_paused: "Most calls on the line failed, so dialling on it is paused",
  line_missing: "None of the campaign's connections is configured",
  daily_cap: "The number has been dialled as often as it may be in one day",
  on_the_phone: "The number is on the phone with this workspace",
  agent_version: "The agent's version is not committed any more",
  stopped: "A stop file of the campaign has the number",
  blocked_number: "The number is on the do-not-call list",
  done: "The call was made and needs no other",
  retries_exhausted: "The retry policy allows no further attempt",
  outcome_unknown: "Nobody can tell whether the last attempt was dialled, so it is not repeated",
  past_end: "The campaign ends before the next attempt could be made",
  campaign_ended: "The campaign has ended",
  campaign_cancelled: "The campaign was cancelled"
}

/** What a decision says, as one plain English sentence. */
export const explain = ({ not_before, reason }: Pick<Decision, "not_before" | "reason">): string => {
  const until = not_before === null ? "" : `; not before ${DateTime.formatIso(DateTime.unsafeMake(not_before))}`
  return `${sentences[reason]}${until}.`
}
