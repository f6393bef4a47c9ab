import { useEffect } from "preact/hooks"
import { api } from "../api/client.js"
import { liveCalls } from "../api/live.js"
import { useLoad } from "../api/load.js"
import type { CampaignDetail, ProgressRecord } from "../api/types.js"
import { addressOf } from "../state/location.js"
import { Budget } from "./Budget.js"
import { CanaryCard } from "./CanaryCard.js"
import { everyMinute } from "./dials.js"
import { CallCard } from "../home/CallCard.js"
import { Badge, wordsOf } from "../ui/Badge.js"
import { Card, Empty, Skeleton, Stat } from "../ui/Card.js"
import { Link } from "../ui/Link.js"
import { LiveLine } from "../ui/LiveLine.js"
import { FailureNote, Note } from "../ui/Note.js"
import { ProgressBar } from "../ui/ProgressBar.js"
import { numberText, shareText, Time, viewerZone, withMoments } from "../ui/Time.js"
import { isOver, peopleOf, remainderOf } from "../api/people.js"

const colors: Readonly<Record<string, string>> = {
  completed: "var(--ok)",
  partial: "var(--info)",
  busy: "var(--warn)",
  no_answer: "var(--warn)",
  failed: "var(--bad)",
  provider_error: "var(--bad)",
  internal_error: "var(--bad)",
  unknown: "var(--bad)",
  blocked: "var(--edge)"
}

/** Ended attempts by outcome, as bars beside their counts. */
const Outcomes = ({ outcomes, all }: { readonly outcomes: ProgressRecord["outcomes"]; readonly all: number }) => {
  const rows = Object.entries(outcomes).filter(([, count]) => count > 0)
  if (rows.length === 0) return <p class="muted">No call has ended yet.</p>
  return (
    <dl class="outcomes">
      {rows.map(([name, count]) => (
        <div key={name}>
          <dt>{wordsOf(name)}</dt>
          <dd><span class="bar"><i style={{ width: `${(100 * count) / all}%`, background: colors[name] ?? "var(--edge)" }} /></span></dd>
          <dd class="number right">{numberText(count)} <span class="muted">{shareText(count, all)}</span></dd>
        </div>
      ))}
    </dl>
  )
}

const Lines = ({ lines }: { readonly lines: ProgressRecord["lines"] }) => (
  <ul class="tight">
    {lines.map((line) => (
      <li key={line.connection_id} class="spread">
        <span class="mono">{line.connection_id}</span>
        <span class="row">
          <span class="muted number">{line.in_use}{line.max_channels === null ? "" : ` of ${line.max_channels}`} in use</span>
          <Badge code={line.health} />
        </span>
        {line.reason && <span class="small muted">{line.reason}</span>}
      </li>
    ))}
  </ul>
)

/** Text in place of a line, which needs two minutes. */
const NoLine = ({ progress: { attempts, dials_per_minute: [first] } }: { readonly progress: ProgressRecord }) =>
  first === undefined
    ? (
      <Empty title={attempts === 0 ? "No dial yet" : "No dials lately"}>
        <p>{attempts === 0 ? "The line begins with the first calls." : "The line shows the minutes of the last hour in which it dials."}</p>
      </Empty>
    )
    : (
      <Empty title={`${numberText(first.dials)} ${first.dials === 1 ? "dial" : "dials"} in one minute`}>
        <p>The line begins with the next minute in which it dials.</p>
      </Empty>
    )

const series = [{ label: "Dials a minute", color: "--accent" }]

export const CampaignOverview = ({ campaign }: { readonly campaign: CampaignDetail }) => {
  const zone = campaign.allowed_schedule.timezone
  const { reload, state } = useLoad(() => api().campaigns.progress(campaign.campaign_id), [campaign.campaign_id], { everyMillis: 2000 })
  useEffect(reload, [campaign.status])
  const { data, failure } = state.value
  const calls = liveCalls.value.filter((call) => call.campaign === campaign.campaign_id).slice(0, 6)
  if (data === undefined) return failure ? <FailureNote failure={failure} onRetry={reload} /> : <Skeleton lines={6} />
  const { contacts, outcomes } = data
  return (
    <div class="stack">
      <FailureNote failure={failure} onRetry={reload} />
      {data.explanation && <Note kind={data.status === "ended" ? "ok" : "warn"}>
        <p>{withMoments(data.explanation)}</p>
        {data.hold_until && zone !== undefined && zone !== viewerZone && <p class="small">Until <Time iso={data.hold_until} zone={zone} /></p>}
      </Note>}
      <div class="stats">
        <Stat name="People" value={numberText(peopleOf(data))} detail={`${numberText(remainderOf(data))} ${isOver(data) ? "not called" : "waiting"}`} />
        <Stat name="On the phone" value={numberText(contacts.calling)} detail={<Link to={addressOf(["calls"])}>Live calls</Link>} />
        <Stat name="Done" value={shareText(contacts.finished, peopleOf(data))} detail={`${numberText(contacts.finished)} people`} />
        <Stat name="Answered" value={shareText(outcomes.completed + outcomes.partial, data.attempts)} detail={`of ${numberText(data.attempts)} attempts`} />
        <Stat name="Expected to finish" value={<span style={{ fontSize: "15px" }}><Time iso={data.expected_finish} /></span>} />
      </div>
      <ProgressBar progress={data} />
      <div class="grid pair">
        <Card title="Dials a minute">
          {data.dials_per_minute.length < 2
            ? (
<NoLine progress={data} />
            )
            : <LiveLine data={everyMinute(data.dials_per_minute)} series={series} label="Dials of each minute" />}
        </Card>
        <Card title="Outcomes"><Outcomes outcomes={outcomes} all={data.attempts} /></Card>
        <Budget progress={data} />
        <Card title="Lines">{data.lines.length === 0 ? <p class="muted">No line.</p> : <Lines lines={data.lines} />}</Card>
      </div>
      <CanaryCard id={campaign.campaign_id} progress={data} onChange={reload} />
      {calls.length > 0 && (
        <Card title="Calls now"><div class="grid">{calls.map((call) => <CallCard key={call.id} call={call} />)}</div></Card>
      )}
    </div>
  )
}
