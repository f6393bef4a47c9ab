import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { api } from "../../api/client.js"
import { type FieldError, TrunklineError } from "@trunkline/client"
import { useLoad } from "../../api/load.js"
import { addressOf, navigate } from "../../state/location.js"
import { Button } from "../../ui/Button.js"
import { Card, Skeleton } from "../../ui/Card.js"
import { Link } from "../../ui/Link.js"
import { FailureNote, Note } from "../../ui/Note.js"
import { PageHead } from "../../ui/PageHead.js"
import { reportDone } from "../../ui/Toasts.js"
import { ListFields } from "../ListFields.js"
import { type ListDraft, newDraft, uploadBody } from "../mapping.js"
import { Rehearsal } from "../rehearsal/Rehearsal.js"
import { AgentStep, onlyChoices } from "./AgentStep.js"
import { bodyOf, type Draft, newCampaign } from "./Draft.js"
import { HoursStep } from "./HoursStep.js"
import { ImportWait } from "./ImportWait.js"

const steps = ["Agent and line", "Hours and rate", "People", "Rehearse and start"]

/** Steps whose fields an issue belongs to, so that the form goes back there. */
const stepOf = ({ loc: [first, second] }: FieldError): number =>
  first === "name" || (first === "app_config" && (second === "app_id" || second === "app_version" || second === "connection_configs")) ? 0 : 1

/**
 * A campaign in steps. It is created, paused, when its first list is uploaded, so that it can be rehearsed with its own people;
 * nobody is called before the last button.
 */
export const NewCampaign = () => {
  const step = useSignal(0)
  const draft = useSignal<Draft>(newCampaign)
  const list = useSignal<ListDraft>(newDraft())
  const created = useSignal<{ readonly campaign: string; readonly cohort: string } | null>(null)
  const failure = useSignal<TrunklineError | undefined>(undefined)
  const parts = useLoad(async () => {
    const [agents, lines] = await Promise.all([api().agents.list(), api().lines.list()])
    return { agents: agents.items, lines: lines.items }
  }, [])
  const { data } = parts.state.value
  const version = data?.agents.find(({ app_id }) => app_id === draft.value.app)?.versions
    .find(({ app_version }) => app_version === draft.value.version)
  const issues = failure.value?.issues ?? []
  const change = (changes: Partial<Draft>) => {
    draft.value = { ...draft.value, ...changes }
    // Another agent has other variables: the columns are looked at again.
    if (changes.app !== undefined || changes.version !== undefined) list.value = { ...list.value, phone: "", variables: {} }
  }
  useEffect(() => {
    if (data !== undefined && draft.peek().app === "") change(onlyChoices(data.agents, data.lines))
  }, [data === undefined])
  const create = async () => {
    failure.value = undefined
    try {
      const campaign = created.value?.campaign ?? (await api().campaigns.create(bodyOf(draft.value))).campaign_id
      if (created.value === null) await api().campaigns.updateStatus(campaign, { action: "pause" })
      created.value = { campaign, cohort: "" }
      const { cohort_id } = await api().cohorts.uploadToCampaign(campaign, uploadBody(list.value))
      created.value = { campaign, cohort: cohort_id }
      step.value = 3
    } catch (error) {
      if (!(error instanceof TrunklineError)) throw error
      failure.value = error
      const first = error.issues[0]
      if (first !== undefined && created.value === null) step.value = stepOf(first)
    }
  }
  const start = async () => {
    if (created.value === null) return
    await api().campaigns.updateStatus(created.value.campaign, { action: "resume" })
    reportDone(`${draft.value.name} is started`)
    navigate(addressOf(["campaigns", created.value.campaign]))
  }
  const isReady = [
    draft.value.name !== "" && draft.value.app !== "" && draft.value.numbers.length > 0,
    draft.value.schedule.allowed_days.length > 0,
    list.value.file !== null && list.value.phone !== ""
  ]
  return (
    <>
      <PageHead title="New campaign" crumb={<Link to={addressOf(["campaigns"])}>Campaigns</Link>} />
      <div class="steps" role="group" aria-label="Steps">
        {steps.map((title, index) => (
          <button
            key={title}
            aria-current={index === step.value ? "step" : undefined}
            disabled={!isReady.slice(0, index).every(Boolean) || (index === 3 && !created.value?.cohort)}
            onClick={() => (step.value = index)}
          >
            {title}
          </button>
        ))}
      </div>
      <FailureNote failure={parts.state.value.failure ?? failure.value} />
      {data === undefined && parts.state.value.failure === undefined && <Skeleton lines={5} />}
      {data && step.value < 3 && (
        <Card title={steps[step.value]}>
          {created.value !== null && step.value < 2 && <Note kind="warn"><p>The campaign exists already. Change its hours and rate on its own page.</p></Note>}
          {step.value === 0 && <AgentStep draft={draft.value} onChange={change} agents={data.agents} lines={data.lines} issues={issues} />}
          {step.value === 1 && <HoursStep draft={draft.value} onChange={change} issues={issues} />}
          {step.value === 2 && (
            <ListFields value={list.value} onChange={(value) => (list.value = value)} issues={issues} declared={version?.variables ?? null} />
          )}
          <div class="row">
            {step.value > 0 && <Button onClick={() => step.value--}>Back</Button>}
            {step.value < 2
              ? <Button kind="primary" icon="arrow" disabled={!isReady[step.value]} onClick={() => step.value++}>Next</Button>
              : <Button kind="primary" icon="upload" disabled={!isReady.every(Boolean)} onClick={create}>Create it, paused</Button>}
          </div>
        </Card>
      )}
      {created.value && step.value === 3 && (
        <>
          <ImportWait campaign={created.value.campaign} cohort={created.value.cohort} />
          <Card title="Start">
            <p>Nobody has been called. Rehearse the campaign below, then start it; it keeps to its hours.</p>
            <div class="row">
              <Button kind="primary" icon="play" onClick={start}>Start calling</Button>
              <Link class="button" to={addressOf(["campaigns", created.value.campaign])}>Leave it paused</Link>
            </div>
          </Card>
          <Rehearsal id={created.value.campaign} zone={draft.value.schedule.timezone} />
        </>
      )}
    </>
  )
}
