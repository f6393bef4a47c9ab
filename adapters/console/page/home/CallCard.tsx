import type { LiveCall } from "../api/live.js"
import { addressOf } from "../state/location.js"
import { Badge } from "../ui/Badge.js"
import { Link } from "../ui/Link.js"

const shownTurns = 3

const stateOf = (call: LiveCall) => call.outcome ?? (call.answeredAt === null ? "ringing" : "talking")

/** A call that goes on, with the last words. */
export const CallCard = ({ call }: { readonly call: LiveCall }) => (
  <article class="tight" style={{ borderLeft: "2px solid var(--line)", paddingLeft: "12px" }}>
    <div class="spread">
      <Link class="mono" to={addressOf(["calls", call.id])}>{call.contact}</Link>
      <Badge code={stateOf(call)} live={call.endedAt === null} />
    </div>
    {call.turns.slice(-shownTurns).map((turn, index) => (
      <p key={index} class="small">
        <b style={{ color: turn.role === "agent" ? "var(--agent)" : "var(--person)" }}>{turn.role === "agent" ? "Agent" : "Person"}</b> {turn.text}
      </p>
    ))}
    {call.turns.length === 0 && <p class="small muted">{call.kind === "inbound" ? "Coming in" : "Dialled"}{call.app === "" ? " before this page was opened" : ` · ${call.app}`}</p>}
  </article>
)
