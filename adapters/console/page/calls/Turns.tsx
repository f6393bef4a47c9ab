import { useEffect, useRef } from "preact/hooks"
import type { Message } from "./axis.js"

export interface ShownTurn {
  readonly role: "agent" | "user" | "tool"
  readonly text: string
  readonly translation: string | null
  readonly at: string | null
  /** Moment before the turn at which another process went on with the call. */
  readonly resumedAt?: string
  readonly tool?: { readonly name: string; readonly arguments: string | undefined }
  /** Id of the agent that spoke, where the call was handed over to it. */
  readonly agent?: string
  /** Hand-over of the call to another agent that the turn is. */
  readonly handedOver?: HandedOver
  readonly transfer?: NonNullable<Message["transfer"]>
}

type HandedOver = NonNullable<Message["handed_over"]>

/** What the next agent was told of the conversation. */
const histories: Readonly<Record<HandedOver["history"], string>> = {
  keep: "all of the conversation",
  last_turns: "the last turns",
  summary: "a summary"
}

const HandOver = ({ handedOver: { from_app_id, history, reason, to_app_id } }: { readonly handedOver: HandedOver }) => (
  <>
    <p>
      <span class="mono">{from_app_id}</span> handed the call over to <span class="mono">{to_app_id}</span>
      {reason === "" ? "." : `: ${reason}`}
    </p>
    <p class="small muted">The next agent was told {histories[history]}.</p>
  </>
)

const names = { agent: "Agent", user: "Person", tool: "Tool" }

const timeText = (iso: string) => new Date(iso).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" })

interface Props {
  readonly turns: ReadonlyArray<ShownTurn>
  /** Moment of each turn is a button that calls this, where there is a recording to move to. */
  readonly onMoment?: (iso: string) => void
  /** Present moment of a recording: the turn that is spoken then is marked. */
  readonly now?: string
}

const outcomes: Record<NonNullable<Message["transfer"]>["outcome"], string> = {
  transferred: "connected",
  no_answer: "nobody answered",
  busy: "busy",
  declined: "declined",
  failed: "failed",
  cancelled: "the caller hung up first"
}

/** A transfer in one line: where to, how it came out, how long that took, and the keys that were sent. */
const Transfer = ({ transfer }: { readonly transfer: NonNullable<Message["transfer"]> }) => {
  const seconds = Math.round((Date.parse(transfer.ended_at) - Date.parse(transfer.started_at)) / 1000)
  return (
    <p class="small">
      {transfer.kind === "warm" ? "Warm transfer" : "Transfer"} to {transfer.target} (<span class="mono">{transfer.to}</span>): {outcomes[transfer.outcome]} after {seconds} s
      {transfer.by === "bridge" && ", sound through this engine"}
      {transfer.reason !== null && `, ${transfer.reason}`}
      {transfer.digits !== null && <>, keys <span class="mono">{transfer.digits}</span></>}
    </p>
  )
}

/** What was said, in order. It stays at its end while words are added, unless somebody has scrolled up. */
export const Turns = ({ now, onMoment, turns }: Props) => {
  const present = now === undefined ? -1 : turns.findLastIndex(({ at }) => at !== null && at <= now)
  const host = useRef<HTMLOListElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    const element = host.current
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight
  }, [turns.length])
  if (turns.length === 0) return <p class="muted">Nothing has been said yet.</p>
  return (
    <ol
      ref={host}
      class="turns"
      tabIndex={0}
      aria-label="What was said"
      style={{ maxHeight: "min(60vh, 560px)", overflow: "auto" }}
      onScroll={({ currentTarget: { clientHeight, scrollHeight, scrollTop } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24
      }}
    >
      {turns.map((turn, index) => (
        <li key={index} class={`turn ${turn.role}${index === present ? " present" : ""}`}>
          {turn.resumedAt && <p class="small muted">Another process went on with the call at {timeText(turn.resumedAt)}</p>}
          <span class="row">
            <span class="who">{names[turn.role]}{turn.tool ? ` ${turn.tool.name}` : turn.agent ? ` ${turn.agent}` : ""}</span>
            {turn.at && (onMoment
              ? <button class="small muted time" onClick={() => turn.at && onMoment(turn.at)}>{timeText(turn.at)}</button>
              : <span class="small muted">{timeText(turn.at)}</span>)}
          </span>
          {turn.handedOver ? <HandOver handedOver={turn.handedOver} /> : (
            <>
              {turn.tool?.arguments && <code class="muted">{turn.tool.arguments}</code>}
              {turn.transfer && <Transfer transfer={turn.transfer} />}
              <p class={turn.role === "tool" ? "mono" : undefined}>{turn.text}</p>
            </>
          )}
          {turn.translation && turn.translation !== turn.text && <p class="small muted">{turn.translation}</p>}
        </li>
      ))}
    </ol>
  )
}
