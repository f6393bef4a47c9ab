import { useSignal } from "@preact/signals"
import { api } from "../api/client.js"
import { liveCalls } from "../api/live.js"
import { useLoad } from "../api/load.js"
import type { AttemptDetail } from "../api/types.js"
import { addressOf } from "../state/location.js"
import { Badge } from "../ui/Badge.js"
import { Card, Empty, Skeleton } from "../ui/Card.js"
import { Link } from "../ui/Link.js"
import { FailureNote } from "../ui/Note.js"
import { PageHead } from "../ui/PageHead.js"
import { answersOf, type Message, piecesOf } from "./axis.js"
import { CallFacts } from "./CallFacts.js"
import { Delivery } from "./Delivery.js"
import { HangUp } from "./HangUp.js"
import { Recording } from "./Recording.js"
import { TimeAxis } from "./TimeAxis.js"
import { Turns } from "./Turns.js"
import { Waterfall } from "./Waterfall.js"

const outcomeOf = ({ completion_status, connectivity_status }: AttemptDetail) =>
  connectivity_status === null || connectivity_status === "connected" ? completion_status : connectivity_status

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

const spokenOf = (message: Message) => ({
  role: message.role,
  text: message.indic_text ?? message.en_text,
  translation: message.indic_text === null ? null : message.en_text,
  at: message.timestamp,
  ...(message.tool_name !== undefined && { tool: { name: message.tool_name, arguments: message.tool_arguments } })
})

/** A call that has ended: its sound, both sides on one axis, its transcript, the steps of each answer, and its record. */
const Ended = ({ call }: { readonly call: AttemptDetail }) => {
  const position = useSignal<number | null>(null)
  const seek = useSignal<number | null>(null)
  const messages = call.transcript?.messages ?? []
  const start = Date.parse(call.start_datetime ?? call.attempted_at)
  const length = call.duration_in_seconds ?? 0
  const pieces = piecesOf(messages, start, length)
  const answers = answersOf(messages)
  const hasSound = call.audio_url !== null && call.interaction_id !== null
  const seekTo = (second: number) => (seek.value = second)
  return (
    <div class="live">
      <div class="stack">
        {hasSound && <Recording app={call.app_id} interaction={call.interaction_id ?? ""} position={position} seek={seek} />}
        {pieces.length > 0 && (
          <Card title="Both sides">
            <TimeAxis pieces={pieces} length={length} position={position.value} {...(hasSound && { onSeek: seekTo })} />
          </Card>
        )}
        <Card title="Transcript">
          {messages.length === 0
            ? <p class="muted">Nobody spoke.</p>
            : (
              <Turns
                turns={messages.map(spokenOf)}
                {...(hasSound && { onMoment: (iso: string) => seekTo((Date.parse(iso) - start) / 1000) })}
                {...(position.value !== null && { now: new Date(start + position.value * 1000).toISOString() })}
              />
            )}
        </Card>
        {answers.length > 0 && <Waterfall answers={answers} />}
      </div>
      <div class="stack">
        <Card title="Record"><CallFacts call={call} /></Card>
        <Card title="Variables"><Variables variables={call.agent_variables} /></Card>
        {call.campaign_id && <Delivery campaign={call.campaign_id} attempt={call.attempt_id} />}
      </div>
    </div>
  )
}

export const CallPage = ({ id }: { readonly id: string }) => {
  const isLive = liveCalls.value.some((each) => each.id === id && each.endedAt === null)
  const { reload, state } = useLoad(() => api().attempts.get(id), [id, isLive])
  const { data, failure } = state.value
  return (
    <>
      <PageHead
        title={data ? `Call of ${data.user_identifier}` : "Call"}
        crumb={<Link to={addressOf(["calls"])}>Calls</Link>}
        badge={data && <Badge code={outcomeOf(data)} />}
      >
        {isLive && data === undefined && <HangUp id={id} />}
      </PageHead>
      {data === undefined && state.value.isLoading && <Skeleton lines={6} />}
      {data === undefined && (failure?.status === 404 || isLive ? <Going id={id} /> : <FailureNote failure={failure} onRetry={reload} />)}
      {data && <Ended call={data} />}
    </>
  )
}
