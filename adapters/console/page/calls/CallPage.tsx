import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
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
import { AfterCall } from "./AfterCall.js"
import { marksOf, type Message, piecesOf } from "./axis.js"
import { CallFacts } from "./CallFacts.js"
import { Costs } from "./Costs.js"
import { Delivery } from "./Delivery.js"
import { Exchanges } from "./Exchanges.js"
import { exchangesOf } from "./exchange.js"
import { HangUp } from "./HangUp.js"
import { Player, useSound, Wave } from "./Recording.js"
import { TimeAxis } from "./TimeAxis.js"
import { Turns } from "./Turns.js"

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
      <p class="small muted">
        {call.kind === "inbound" ? "Incoming" : "Outgoing"}{call.app === "" ? "" : ` · ${call.app}`}
        {call.campaign !== null && <> · <Link to={addressOf(["campaigns", call.campaign])}>its campaign</Link></>}
      </p>
      <Turns turns={call.turns.map(({ at, enText, role, text }) => ({ role, text, translation: enText, at }))} />
    </Card>
  )
}

/** A turn for the transcript; `at` is where it is on the axis, if it is there. */
const spokenOf = (message: Message, at: string | null) => ({
  role: message.role,
  text: message.indic_text ?? message.en_text,
  translation: message.indic_text === null ? null : message.en_text,
  at,
  ...(message.resumed_at !== undefined && { resumedAt: message.resumed_at }),
  ...(message.app_id !== undefined && { agent: message.app_id }),
  ...(message.handed_over !== undefined && { handedOver: message.handed_over }),
  ...(message.transfer !== undefined && { transfer: message.transfer }),
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
  const exchanges = exchangesOf(messages, call.model_inputs)
  // Calls without sound have no recording to ask for.
  const hasSound = call.audio_url !== null || messages.some(({ timings, turn_end }) => timings ?? turn_end)
  const { failure, sound } = useSound(call.app_id, hasSound ? call.interaction_id : null)
  const momentOf = new Map(pieces.map(({ from, place }) => [place, new Date(start + from * 1000).toISOString()]))
  const seekTo = (second: number) => (seek.value = second)
  return (
    <>
      <div class="live">
        <div class="stack">
          {(pieces.length > 0 || sound.value !== null) && (
            <Card title={sound.value === null ? "Both sides" : "Recording"}>
              <FailureNote failure={failure.value} />
              <TimeAxis
                pieces={pieces}
                marks={marksOf(messages, start)}
                length={length}
                position={position.value}
                {...(sound.value !== null && { onSeek: seekTo })}
              >
                {sound.value !== null && <Wave sound={sound.value} length={Math.max(1, length)} position={position.value} onSeek={seekTo} />}
              </TimeAxis>
              {sound.value !== null && <Player sound={sound.value} position={position} seek={seek} />}
            </Card>
          )}
          <Card title="Transcript">
            {messages.length === 0
              ? <p class="muted">{exchanges.length === 0 ? "Nobody spoke." : "The call failed, so that it has no transcript. What its model was sent is below."}</p>
              : (
                <Turns
                  turns={messages.map((message, index) => spokenOf(message, momentOf.get(index) ?? message.timestamp))}
                  {...(sound.value !== null && { onMoment: (iso: string) => seekTo((Date.parse(iso) - start) / 1000) })}
                  {...(position.value !== null && { now: new Date(start + position.value * 1000).toISOString() })}
                />
              )}
          </Card>
        </div>
        <div class="stack">
          <AfterCall call={call} />
          <Card title="Record"><CallFacts call={call} /></Card>
          {call.costs && <Costs costs={call.costs} />}
          <Card title="Variables"><Variables variables={call.agent_variables} /></Card>
          {call.campaign_id && <Delivery campaign={call.campaign_id} attempt={call.attempt_id} />}
        </div>
      </div>
      {exchanges.length > 0 && <Exchanges exchanges={exchanges} />}
    </>
  )
}

export const CallPage = ({ id }: { readonly id: string }) => {
  const isLive = liveCalls.value.some((each) => each.id === id && each.endedAt === null)
  const { reload, state } = useLoad(() => api().attempts.get(id), [id, isLive])
  const { data, failure } = state.value
  const isPending = data?.extraction?.status === "pending"
  useEffect(() => {
    if (!isPending) return
    const timer = setInterval(reload, 5_000)
    return () => clearInterval(timer)
  }, [isPending, reload])
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
