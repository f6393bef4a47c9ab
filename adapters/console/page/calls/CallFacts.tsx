import type { AttemptDetail } from "../api/types.js"
import { addressOf } from "../state/location.js"
import { wordsOf } from "../ui/Badge.js"
import { Link } from "../ui/Link.js"
import { clockText, Time } from "../ui/Time.js"

const secondsText = (seconds: number | null) => (seconds === null ? "–" : `${seconds.toFixed(2)} s on average`)

type Answer = NonNullable<NonNullable<AttemptDetail["transcript"]>["answer"]>

/** Who answered, how that was found and when, and what was done. */
const answerText = ({ action, answered_by, decided_ms, evidence }: Answer) => {
  const finding = `${wordsOf(answered_by)}, by ${evidence} after ${(decided_ms / 1000).toFixed(1)} s`
  return action === "none" ? finding : `${finding}: ${action.replace("_", " ")}`
}

/** The record of a call. */
export const CallFacts = ({ call }: { readonly call: AttemptDetail }) => (
  <dl class="facts">
    <dt>Person</dt><dd><b>{call.user_identifier}</b></dd>
    <dt>Number</dt><dd class="mono">{call.user_contact ?? call.user_contact_masked}</dd>
    <dt>Direction</dt><dd>{call.channel_direction === "inbound" ? "Incoming" : "Outgoing"} over {call.channel_provider}</dd>
    <dt>Agent</dt>
    <dd><Link to={addressOf(["agents", call.app_id], { version: String(call.app_version) })}>{call.app_id} · version {call.app_version}</Link></dd>
    {call.campaign_id && (
      <>
        <dt>Campaign</dt><dd><Link to={addressOf(["campaigns", call.campaign_id])}>{call.campaign_id}</Link></dd>
      </>
    )}
    <dt>Dialled</dt><dd><Time iso={call.attempted_at} /></dd>
    <dt>Answered</dt><dd><Time iso={call.start_datetime} /></dd>
    {call.transcript?.answer && (
      <>
        <dt>Answered by</dt>
        <dd>{answerText(call.transcript.answer)}</dd>
      </>
    )}
    <dt>Length</dt><dd class="number">{call.duration_in_seconds === null ? "–" : clockText(call.duration_in_seconds)}</dd>
    <dt>Language</dt><dd>{call.language_name ?? "–"}</dd>
    <dt>Ended by</dt><dd>{call.ended_by === null ? "–" : wordsOf(call.ended_by.toLowerCase().replace("_ends", ""))}</dd>
    <dt>Try</dt><dd>{call.retry_attempt === 0 ? "First call" : `Call ${call.retry_attempt + 1}`}</dd>
    <dt>Next</dt><dd>{call.next_action_status === null ? "Nothing" : wordsOf(call.next_action_status)}</dd>
    {call.failure_reason && (
      <>
        <dt>Reason</dt><dd>{call.failure_reason}</dd>
      </>
    )}
    <dt>Agent answers</dt><dd class="number">{secondsText(call.average_agent_response_time_in_seconds)}</dd>
    <dt>Person answers</dt><dd class="number">{secondsText(call.average_user_response_time_in_seconds)}</dd>
    <dt>Id</dt><dd class="mono">{call.attempt_id}</dd>
  </dl>
)
