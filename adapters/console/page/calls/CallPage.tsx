import { api } from "../api/client.js"
import { liveCalls } from "../api/live.js"
import { useLoad } from "../api/load.js"
import type { AttemptDetail } from "../api/types.js"
import { addressOf } from "../state/location.js"
import { Badge, wordsOf } from "../ui/Badge.js"
import { Card, Empty, Skeleton } from "../ui/Card.js"
import { Link } from "../ui/Link.js"
import { FailureNote } from "../ui/Note.js"
import { PageHead } from "../ui/PageHead.js"
import { clockText, Time } from "../ui/Time.js"
import { Delivery } from "./Delivery.js"
import { Recording } from "./Recording.js"
import { Turns } from "./Turns.js"

const outcomeOf = ({ completion_status, connectivity_status }: AttemptDetail) =>
  connectivity_status === null || connectivity_status === "connected" ? completion_status : connectivity_status

const Facts = ({ call }: { readonly call: AttemptDetail }) => (
  <dl class="facts">
    <dt>Person</dt><dd><b>{call.user_identifier}</b></dd>
    <dt>Number</dt><dd class="mono">{call.user_contact ?? call.user_contact_masked}</dd>
    <dt>Direction</dt><dd>{call.channel_direction === "inbound" ? "Incoming" : "Outgoing"} over {call.channel_provider}</dd>
    <dt>Agent</dt><dd>{call.app_id} · version {call.app_version}</dd>
    {call.campaign_id && (
      <>
        <dt>Campaign</dt><dd><Link to={addressOf(["campaigns", call.campaign_id])}>{call.campaign_id}</Link></dd>
      </>
    )}
    <dt>Dialled</dt><dd><Time iso={call.attempted_at} /></dd>
    <dt>Answered</dt><dd><Time iso={call.start_datetime} /></dd>
    <dt>Length</dt><dd class="number">{call.duration_in_seconds === null ? "–" : clockText(call.duration_in_seconds)}</dd>
    <dt>Ended by</dt><dd>{call.ended_by === null ? "–" : wordsOf(call.ended_by.toLowerCase())}</dd>
    <dt>Retry</dt><dd>{call.retry_attempt === 0 ? "First call" : `Call ${call.retry_attempt + 1}`}</dd>
    <dt>Next</dt><dd>{call.next_action_status === null ? "Nothing" : wordsOf(call.next_action_status)}</dd>
    {call.failure_reason && (
      <>
        <dt>Reason</dt><dd>{call.failure_reason}</dd>
      </>
    )}
    <dt>Agent answers after</dt><dd class="number">{secondsText(call.average_agent_response_time_in_seconds)}</dd>
    <dt>Id</dt><dd class="mono">{call.attempt_id}</dd>
  </dl>
)

const secondsText = (seconds: number | null) => (seconds === null ? "–" : `${seconds.toFixed(2)} s on average`)

const Variables = ({ variables }: { readonly variables: AttemptDetail["agent_variables"] }) => {
  const entries = Object.entries(variables ?? {})
  if (entries.length === 0) return <p class="muted">None.</p>
  return <dl class="facts">{entries.flatMap(([name, value]) => [<dt key={name} class="mono">{name}</dt>, <dd key={`${name} value`}>{String(value ?? "–")}</dd>])}</dl>
}

/** A call that is still going on has no record yet, only what the live feed has told. */
const Going = ({ id }: { readonly id: string }) => {
  const call = liveCalls.value.find((each) => each.id === id)
  if (call === undefined) return <Empty title="There is no record of this call"><p>It may belong to another workspace, or still be ringing.</p></Empty>
  return (
    <Card title={<span class="mono">{call.contact}</span>} actions={<Badge code={call.answeredAt === null ? "ringing" : "talking"} live />}>
      <Turns turns={call.turns.map(({ at, enText, role, text }) => ({ role, text, translation: enText, at }))} />
    </Card>
  )
}

export const CallPage = ({ id }: { readonly id: string }) => {
  const isLive = liveCalls.value.some((each) => each.id === id && each.endedAt === null)
  const { reload, state } = useLoad(() => api().attempts.get(id), [id, isLive])
  const { data, failure } = state.value
  const messages = data?.transcript?.messages ?? []
  return (
    <>
      <PageHead
        title={data ? `Call of ${data.user_identifier}` : "Call"}
        crumb={<Link to={addressOf(["calls"])}>Calls</Link>}
        badge={data && <Badge code={outcomeOf(data)} />}
      />
      {data === undefined && state.value.isLoading && <Skeleton lines={6} />}
      {data === undefined && (failure?.status === 404 || isLive ? <Going id={id} /> : <FailureNote failure={failure} onRetry={reload} />)}
      {data && (
        <div class="live">
          <div class="stack">
            {data.audio_url && data.interaction_id && <Recording app={data.app_id} interaction={data.interaction_id} />}
            <Card title="Transcript">
              {messages.length === 0
                ? <p class="muted">Nobody spoke.</p>
                : (
                  <Turns
                    turns={messages.map((message) => ({
                      role: message.role,
                      text: message.indic_text ?? message.en_text,
                      translation: message.indic_text === null ? null : message.en_text,
                      at: message.timestamp,
                      ...(message.tool_name !== undefined && { tool: { name: message.tool_name, arguments: message.tool_arguments } })
                    }))}
                  />
                )}
            </Card>
          </div>
          <div class="stack">
            <Card title="Record"><Facts call={data} /></Card>
            <Card title="Variables"><Variables variables={data.agent_variables} /></Card>
            {data.campaign_id && <Delivery campaign={data.campaign_id} attempt={data.attempt_id} />}
          </div>
        </div>
      )}
    </>
  )
}
