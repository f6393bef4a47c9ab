import { useSignal } from "@preact/signals"
import { feed, type LiveCall, liveCalls, missed } from "../api/live.js"
import { addressOf, navigate } from "../state/location.js"
import { Badge } from "../ui/Badge.js"
import { Card, Empty } from "../ui/Card.js"
import { Note } from "../ui/Note.js"
import { clockText, now, numberText } from "../ui/Time.js"
import { type Column, VirtualTable } from "../ui/VirtualTable.js"
import { HangUp } from "./HangUp.js"
import { Turns } from "./Turns.js"

const stateOf = (call: LiveCall) => call.outcome ?? (call.answeredAt === null ? "ringing" : "talking")

const columns: ReadonlyArray<Column<LiveCall>> = [
  { title: "Person", width: "130px", cell: ({ contact }) => <span class="mono">{contact}</span> },
  { title: "State", width: "104px", cell: (call) => <Badge code={stateOf(call)} live={call.endedAt === null} /> },
  { title: "Agent", width: "100px", from: 1, cell: ({ app }) => app === "" ? <span class="muted">–</span> : app },
  { title: "Last words", width: "minmax(0, 1fr)", cell: ({ turns }) => {
    const last = turns.at(-1)
    return last === undefined ? <span class="muted">–</span> : `${last.role === "agent" ? "Agent" : "Person"}: ${last.text}`
  } }
]

/** Calls that go on, and those that ended a moment ago and are still shown. */
const countsOf = (calls: ReadonlyArray<LiveCall>): string => {
  const ended = calls.filter(({ endedAt }) => endedAt !== null).length
  return `${numberText(calls.length - ended)} going on${ended === 0 ? "" : `, ${numberText(ended)} just ended`}`
}

/** Every call of the workspace as it happens, with the words of the one that is chosen. */
export const LiveCalls = () => {
  const chosen = useSignal<string | null>(null)
  const calls = liveCalls.value
  const call = calls.find(({ id }) => id === chosen.value) ?? calls[0]
  return (
    <div class="stack">
      {feed.value === "polling" && <Note kind="warn"><p>The live feed is lost. It is opened again every few seconds; ended calls are in the other tab.</p></Note>}
      {missed.value > 0 && <Note kind="warn"><p>{numberText(missed.value)} events were left out, since this page could not keep up. Records are complete.</p></Note>}
      {calls.length === 0
        ? <Card><Empty title="Nobody is on the phone"><p>Calls appear as they are dialled or come in, with what is said.</p></Empty></Card>
        : (
          <div class="live">
            <Card flush title={countsOf(calls)}>
              <VirtualTable least={520} label="Live calls" columns={columns} rows={calls} keyOf={({ id }) => id} onOpen={({ id }) => (chosen.value = id)} />
            </Card>
            {call && (
              <Card
                title={<span class="mono">{call.contact}</span>}
                actions={
                  <>
                    <Badge code={stateOf(call)} live={call.endedAt === null} />
                    {call.endedAt === null && <HangUp key={call.id} id={call.id} onAsk={() => (chosen.value = call.id)} />}
                    <button class="button small" onClick={() => navigate(addressOf(["calls", call.id]))}>Open</button>
                  </>
                }
              >
                <p class="small muted">
                  {call.kind === "inbound" ? "Incoming" : "Outgoing"}{call.app === "" ? "" : ` · ${call.app}`} · {call.endedAt !== null ? "ended" : call.answeredAt === null ? "ringing" : "on the phone"}
                  {call.startedAt !== null && call.endedAt === null && call.answeredAt === null ? ` for ${clockText((now.value - Date.parse(call.startedAt)) / 1000)}` : ""}
                </p>
                <Turns turns={call.turns.map(({ at, enText, role, text }) => ({ role, text, translation: enText, at }))} />
              </Card>
            )}
          </div>
        )}
    </div>
  )
}
