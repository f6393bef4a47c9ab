import { useSignal } from "@preact/signals"
import { api } from "../../api/client.js"
import { TrunklineError } from "@trunkline/client"
import type { RehearsalReport } from "../../api/types.js"
import { Button } from "../../ui/Button.js"
import { Card, Empty, Stat } from "../../ui/Card.js"
import { Field } from "../../ui/Field.js"
import { FailureNote, Note } from "../../ui/Note.js"
import { numberText, shareText, Time } from "../../ui/Time.js"
import { Columns } from "./Columns.js"
import { NeverReached } from "./NeverReached.js"

interface Props {
  readonly id: string
  readonly zone: string | undefined
}

const hourText = (iso: string, zone: string | undefined) =>
  new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "2-digit", minute: "2-digit", ...(zone && { timeZone: zone }) }).format(new Date(iso))

const Report = ({ report, zone }: { readonly report: RehearsalReport; readonly zone: string | undefined }) => {
  const { calls_per_hour, lowest_rate_that_finishes: lowest, never_reached, reached } = report
  return (
    <div class="stack">
      <Note kind={report.finished ? "ok" : "warn"}>
        <p>
          {report.finished
            ? "Everybody is done before the campaign ends."
            : `${numberText(report.people_left)} ${report.people_left === 1 ? "person is" : "people are"} left when the campaign ends.`}
        </p>
        {lowest && lowest.attempts_per_second !== null && (
          <p class="small">The lowest rate that finishes in time is {lowest.attempts_per_second} dials a second; the campaign has {report.attempts_per_second}.</p>
        )}
        {lowest && lowest.attempts_per_second === null && <p class="small">No rate finishes in time: open longer hours, or end later.</p>}
      </Note>
      <div class="stats">
        <Stat name="Last call over" value={<span style={{ fontSize: "15px" }}><Time iso={report.last_call_over_at} {...(zone !== undefined && { zone })} /></span>} />
        <Stat name="Dials" value={numberText(report.dials)} detail={`${numberText(report.people)} people`} />
        <Stat name="Reached" value={shareText(reached.people, report.people)} detail={`${numberText(reached.people)} people`} />
        <Stat name="Most calls at once" value={numberText(report.peak_calls)} detail={`of ${numberText(report.max_concurrent_calls)} allowed`} />
        <Stat name="Talk" value={`${numberText(Math.round(report.talk_minutes))} min`} detail={report.cost === null ? undefined : `${report.cost.currency} ${numberText(Math.round(report.cost.from))}–${numberText(Math.round(report.cost.to))}`} />
      </div>
      <Card title="Calls of each hour">
        <Columns
          label="Dials and answers of each hour"
          columns={calls_per_hour.map(({ answers, dials, hour }) => ({ name: hourText(hour, zone), values: [answers, dials - answers] }))}
          series={[{ name: "Answered", color: "var(--ok)" }, { name: "Not answered", color: "var(--edge)" }]}
        />
        {report.hours_left_out > 0 && <p class="small muted">{numberText(report.hours_left_out)} more hours are not shown.</p>}
      </Card>
      <div class="grid">
        <Card title="Reached at which call">
          <Columns
            label="People by the call that reached them"
            columns={reached.by_call.map((people, index) => ({ name: `Call ${index + 1}`, values: [people] }))}
            series={[{ name: "People", color: "var(--accent)" }]}
          />
        </Card>
        <Card title="Never reached"><NeverReached never={never_reached} /></Card>
      </div>
      <p class="small muted">
        Simulated people with the seed {report.seed}: the same seed gives the same days. Began <Time iso={report.began_at} />.
      </p>
    </div>
  )
}

/** Plays the whole campaign in simulated time before anybody is called. */
export const Rehearsal = ({ id, zone }: Props) => {
  const report = useSignal<RehearsalReport | undefined>(undefined)
  const failure = useSignal<TrunklineError | undefined>(undefined)
  const contacts = useSignal("")
  const seed = useSignal("1")
  const run = async () => {
    failure.value = undefined
    try {
      report.value = await api().campaigns.rehearse(id, {
        seed: seed.value,
        lowest_rate: true,
        ...(contacts.value !== "" && { contacts: Number(contacts.value) })
      })
    } catch (error) {
      if (!(error instanceof TrunklineError)) throw error
      failure.value = error
    }
  }
  return (
    <div class="stack">
      <Card title="Rehearse before you start">
        <div class="fields">
          <Field label="Number of people" hint="As many as the lists have when empty." path="contacts" issues={failure.value?.issues ?? []}>
            <input class="input" type="number" min="1" value={contacts.value} onInput={(event) => (contacts.value = event.currentTarget.value)} />
          </Field>
          <Field label="Seed of chance" hint="Another one gives people who answer otherwise." path="seed" issues={failure.value?.issues ?? []}>
            <input class="input" type="text" value={seed.value} onInput={(event) => (seed.value = event.currentTarget.value)} />
          </Field>
        </div>
        <div><Button kind="primary" icon="play" onClick={run}>Rehearse</Button></div>
        <FailureNote failure={failure.value} />
      </Card>
      {report.value === undefined
        ? <Empty title="No rehearsal yet"><p>It simulates every dial with the campaign's own hours, rate, lines and retries. Nobody is called.</p></Empty>
        : <Report report={report.value} zone={zone} />}
    </div>
  )
}
