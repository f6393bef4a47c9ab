import { api } from "../api/client.js"
import { type LiveCall, liveCalls, rates } from "../api/live.js"
import { useLoad } from "../api/load.js"
import type { CampaignMetadata, ProgressRecord } from "../api/types.js"
import { isOver, peopleOf, remainderOf } from "../api/people.js"
import { addressOf } from "../state/location.js"
import { canChange } from "../state/session.js"
import { Badge } from "../ui/Badge.js"
import { Card, Empty, Skeleton, Stat } from "../ui/Card.js"
import { Link } from "../ui/Link.js"
import { LiveLine } from "../ui/LiveLine.js"
import { FailureNote, Note } from "../ui/Note.js"
import { PageHead } from "../ui/PageHead.js"
import { ProgressBar } from "../ui/ProgressBar.js"
import { now, numberText, shareText, Time, withMoments } from "../ui/Time.js"
import { Attention, loadConcerns } from "./Attention.js"
import { CallCard } from "./CallCard.js"

/** Each costs a request for its progress, of the 60 a minute that the smallest plan has. */
const shownCampaigns = 4
const shownCalls = 6

const load = async () => {
  const { items } = await api().campaigns.list({ limit: 20, sort_by: "updated_at", sort_order: "desc" })
  const running = items.filter(({ status }) => status === "active" || status === "scheduled" || status === "paused")
  const shown = [...running, ...items.filter((campaign) => !running.includes(campaign))].slice(0, shownCampaigns)
  const campaigns = await Promise.all(
    shown.map(async (campaign) => [campaign, await api().campaigns.progress(campaign.campaign_id)] as const)
  )
  return { campaigns, concerns: await loadConcerns(campaigns) }
}

/** Calls that go on with words first: there is most to see. */
const shownFirst = (calls: ReadonlyArray<LiveCall>) => {
  const isSpoken = ({ endedAt, turns }: LiveCall) => endedAt === null && turns.length > 0
  return [...calls.filter(isSpoken), ...calls.filter((call) => !isSpoken(call))].slice(0, shownCalls)
}

const answeredOf = ({ outcomes: { completed, partial } }: ProgressRecord) => completed + partial

const Campaigns = ({ campaigns }: { readonly campaigns: ReadonlyArray<readonly [CampaignMetadata, ProgressRecord]> }) => (
  <ul class="stack">
    {campaigns.map(([{ campaign_id, name, status }, progress]) => (
      <li key={campaign_id} class="tight">
        <div class="spread">
          <Link to={addressOf(["campaigns", campaign_id])}><b>{name}</b></Link>
          <Badge code={status} live={status === "active"} />
        </div>
        <ProgressBar progress={progress} />
        <div class="spread small muted number">
          <span>{numberText(progress.contacts.finished)} of {numberText(peopleOf(progress))} people done</span>
          <span>{shareText(answeredOf(progress), progress.attempts)} answered</span>
        </div>
        {progress.explanation && <p class="small muted">{withMoments(progress.explanation)}</p>}
      </li>
    ))}
  </ul>
)

/** Dials and answers of each of the last two minutes' seconds, so that the line moves also when nothing happens. */
const lineData = () => {
  const last = Math.floor(now.value / 1000)
  const seconds = Array.from({ length: 120 }, (_, index) => last - 119 + index)
  const bySecond = new Map(rates.value.map((rate) => [rate.second, rate]))
  const values = (field: "dials" | "answers") => seconds.map((second) => bySecond.get(second)?.[field] ?? 0)
  return [seconds, values("dials"), values("answers")]
}

const series = [{ label: "Dials a second", color: "--info" }, { label: "Answers a second", color: "--ok" }]

export const HomePage = () => {
  const { reload, state } = useLoad(load, [], { everyMillis: 15_000 })
  const { data, failure } = state.value
  const going = liveCalls.value.filter(({ endedAt }) => endedAt === null)
  const progress = data?.campaigns.map(([, each]) => each) ?? []
  const attempts = progress.reduce((sum, each) => sum + each.attempts, 0)
  const answered = progress.reduce((sum, each) => sum + answeredOf(each), 0)
  const lastMinute = rates.value.filter(({ second }) => second > now.value / 1000 - 60)
  const dials = lastMinute.reduce((sum, each) => sum + each.dials, 0)
  const waiting = progress.reduce((sum, each) => sum + (isOver(each) ? 0 : remainderOf(each)), 0)
  // Figures of a server that has not answered would be zeroes that mean nothing.
  if (data === undefined && failure !== undefined) {
    return (
      <>
        <PageHead title="Home" />
        <FailureNote failure={failure} onRetry={reload} />
      </>
    )
  }
  return (
    <>
      <PageHead title="Home">
        {canChange.value && <Link class="button primary" to={addressOf(["campaigns", "new"])}>New campaign</Link>}
      </PageHead>
      <FailureNote failure={failure} onRetry={reload} />
      <div class="stats">
        <Stat name="Calls going on" value={numberText(going.length)} detail={`${going.filter((call) => call.answeredAt).length} talking`} />
        <Stat name="Dials in the last minute" value={numberText(dials)} detail="by the live feed" />
        <Stat name="Answer rate" value={shareText(answered, attempts)} detail={`of ${numberText(attempts)} ${attempts === 1 ? "attempt" : "attempts"}`} />
        <Stat name="People waiting" value={numberText(waiting)} detail={`in ${progress.length} ${progress.length === 1 ? "campaign" : "campaigns"}`} />
      </div>
      {data && data.concerns.length > 0 && <Card title="Needs attention"><Attention concerns={data.concerns} /></Card>}
      {data && data.concerns.length === 0 && data.campaigns.length > 0 && (
        <Note kind="ok"><p>Nothing needs attention: lines are up, webhooks arrive, and no outcome is unknown.</p></Note>
      )}
      <div class="grid pair">
        <Card title="Dials and answers">
          <LiveLine data={lineData()} series={series} label={`${dials} dials in the last minute`} />
        </Card>
        <Card title="Campaigns" actions={<Link to={addressOf(["campaigns"])}>All campaigns</Link>}>
          {data === undefined ? <Skeleton /> : data.campaigns.length === 0
            ? (
              <Empty title="No campaign yet">
                <p>A campaign calls the people of a list, at the hours and the rate that you set.</p>
                {canChange.value && <Link class="button primary" to={addressOf(["campaigns", "new"])}>Create the first</Link>}
              </Empty>
            )
            : <Campaigns campaigns={data.campaigns} />}
        </Card>
      </div>
      <Card title="Calls now" actions={<Link to={addressOf(["calls"])}>All calls</Link>}>
        {liveCalls.value.length === 0
          ? <Empty title="Nobody is on the phone"><p>Calls appear here as they are dialled or come in, with what is said.</p></Empty>
          : <div class="grid">{shownFirst(liveCalls.value).map((call) => <CallCard key={call.id} call={call} />)}</div>}
      </Card>
      {data && <p class="small muted">Figures of campaigns as of <Time iso={new Date(state.value.at).toISOString()} /></p>}
    </>
  )
}
