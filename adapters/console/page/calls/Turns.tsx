import { useEffect, useRef } from "preact/hooks"

export interface ShownTurn {
  readonly role: "agent" | "user" | "tool"
  readonly text: string
  readonly translation: string | null
  readonly at: string | null
  readonly tool?: { readonly name: string; readonly arguments: string | undefined }
}

const names = { agent: "Agent", user: "Person", tool: "Tool" }

const timeText = (iso: string) => new Date(iso).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" })

interface Props {
  readonly turns: ReadonlyArray<ShownTurn>
  /** Moment of each turn is a button that calls this, where there is a recording to move to. */
  readonly onMoment?: (iso: string) => void
  /** Present moment of a recording: the turn that is spoken then is marked. */
  readonly now?: string
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
          <span class="row">
            <span class="who">{names[turn.role]}{turn.tool ? ` ${turn.tool.name}` : ""}</span>
            {turn.at && (onMoment
              ? <button class="small muted time" onClick={() => turn.at && onMoment(turn.at)}>{timeText(turn.at)}</button>
              : <span class="small muted">{timeText(turn.at)}</span>)}
          </span>
          {turn.tool?.arguments && <code class="muted">{turn.tool.arguments}</code>}
          <p class={turn.role === "tool" ? "mono" : undefined}>{turn.text}</p>
          {turn.translation && turn.translation !== turn.text && <p class="small muted">{turn.translation}</p>}
        </li>
      ))}
    </ol>
  )
}
