import { type Signal, useSignal } from "@preact/signals"
import { api } from "../api/client.js"
import { useLoad } from "../api/load.js"
import type { DeploymentSummary, LineDetail } from "../api/types.js"
import { canChange } from "../state/session.js"
import { Badge, wordsOf } from "../ui/Badge.js"
import { Button } from "../ui/Button.js"
import { Card, Empty, Skeleton } from "../ui/Card.js"
import { FailureNote } from "../ui/Note.js"
import { PageHead } from "../ui/PageHead.js"
import { Table } from "../ui/Table.js"
import { presentTab, Tabs } from "../ui/Tabs.js"
import { Time } from "../ui/Time.js"
import { reportDone } from "../ui/Toasts.js"
import { BlockedNumbers } from "./BlockedNumbers.js"
import { NewDeployment } from "./NewDeployment.js"

const tabs = [
  { id: "deployments", title: "Deployments" },
  { id: "lines", title: "Lines and numbers" },
  { id: "blocked", title: "Blocked numbers" }
]

const Hours = ({ config }: { readonly config: DeploymentSummary["inbound_config"] }) =>
  config === null
    ? <span class="muted">Always</span>
    : <>{config.start_time} to {config.end_time}, {config.allowed_days.map((day) => day.slice(0, 3)).join(" ")} <span class="muted">{config.timezone}</span></>

const DeploymentCard = ({ deployment, onChange }: { readonly deployment: DeploymentSummary; readonly onChange: () => void }) => {
  const next = deployment.status === "active" ? "pause" : "resume"
  const change = async () => {
    await api().deployments.updateStatus(deployment.deployment_id, { action: next })
    reportDone(next === "pause" ? `${deployment.name} takes no calls` : `${deployment.name} takes calls again`)
    onChange()
  }
  return (
    <Card
      title={<span class="row">{deployment.name}<Badge code={deployment.status} /></span>}
      actions={canChange.value && (
        <Button size="small" icon={next === "pause" ? "pause" : "play"} onClick={change}>{next === "pause" ? "Pause" : "Resume"}</Button>
      )}
    >
      {deployment.description && <p class="muted">{deployment.description}</p>}
      <dl class="facts">
        <dt>Agent</dt><dd>{deployment.app_id} · version {deployment.app_version}</dd>
        <dt>Direction</dt><dd>{wordsOf(deployment.channel_direction)}</dd>
        <dt>Numbers</dt><dd class="mono">{deployment.phone_numbers.join(", ") || "none"}</dd>
        <dt>Hours</dt><dd><Hours config={deployment.inbound_config} /></dd>
        <dt>Webhook</dt><dd class="mono">{deployment.webhook_config?.url ?? "none"}</dd>
        <dt>Changed</dt><dd><Time iso={deployment.updated_at} /></dd>
      </dl>
    </Card>
  )
}

const Deployments = ({ isAdding }: { readonly isAdding: Signal<boolean> }) => {
  const { reload, state } = useLoad(() => api().deployments.list({ limit: 100 }), [], { everyMillis: 15_000 })
  const { data, failure } = state.value
  if (data === undefined) return failure ? <FailureNote failure={failure} onRetry={reload} /> : <Skeleton lines={6} />
  const done = () => {
    isAdding.value = false
    reload()
  }
  const form = isAdding.value && <NewDeployment onClose={() => (isAdding.value = false)} onDone={done} />
  if (data.items.length === 0) {
    return (
      <Card>
        {form}
        <Empty title="No deployment yet">
          <p>A deployment answers incoming calls to your numbers with an agent, within its hours.</p>
          {canChange.value && <Button kind="primary" onClick={() => (isAdding.value = true)}>Create the first</Button>}
        </Empty>
      </Card>
    )
  }
  return <div class="grid">{form}{data.items.map((each) => <DeploymentCard key={each.deployment_id} deployment={each} onChange={reload} />)}</div>
}

const answersFor = (number: string, deployments: ReadonlyArray<DeploymentSummary>) =>
  deployments.find(({ channel_direction, phone_numbers, status }) =>
    status === "active" && channel_direction !== "outbound" && phone_numbers.includes(number)
  )?.name

const LineCard = ({ deployments, line }: { readonly line: LineDetail; readonly deployments: ReadonlyArray<DeploymentSummary> }) => (
  <Card title={<span class="row mono">{line.connection_id}</span>} actions={<Badge code={line.health} />}>
    {line.reason && <p>{line.reason}</p>}
    <dl class="facts">
      <dt>Provider</dt><dd>{line.provider}</dd>
      <dt>Calls</dt><dd class="number">{line.calls}{line.max_channels === null ? "" : ` of ${line.max_channels} channels`}</dd>
      {line.paused_until && (
        <>
          <dt>Paused until</dt><dd><Time iso={line.paused_until} /></dd>
        </>
      )}
      {line.registration && (
        <>
          <dt>Registration</dt>
          <dd><Badge code={line.registration.status} /> {line.registration.registered_until && <span class="small muted">until <Time iso={line.registration.registered_until} /></span>}</dd>
        </>
      )}
      {line.reachable !== null && (
        <>
          <dt>Reachable</dt><dd>{line.reachable ? "Yes" : "No"}</dd>
        </>
      )}
      {line.last_failure && (
        <>
          <dt>Latest failure</dt><dd>{line.last_failure.reason} <span class="small muted"><Time iso={line.last_failure.at} /></span></dd>
        </>
      )}
    </dl>
    <Table
      label={`Numbers of ${line.connection_id}`}
      columns={[
        { title: "Number", cell: (number) => <span class="mono">{number}</span> },
        { title: "Answered by", cell: (number) => answersFor(number, deployments) ?? <span class="muted">Nobody: no active deployment</span> }
      ]}
      rows={line.phone_numbers}
      keyOf={(number) => number}
    />
  </Card>
)

const Lines = () => {
  const { reload, state } = useLoad(async () => {
    const [lines, deployments] = await Promise.all([api().lines.list(), api().deployments.list({ limit: 100 })])
    return { lines: lines.items, deployments: deployments.items }
  }, [], { everyMillis: 5000 })
  const { data, failure } = state.value
  if (data === undefined) return failure ? <FailureNote failure={failure} onRetry={reload} /> : <Skeleton lines={6} />
  if (data.lines.length === 0) {
    return <Card><Empty title="No line yet"><p>Lines are named in the server's configuration: a SIP trunk, a provider, or the simulator.</p></Empty></Card>
  }
  return <div class="grid">{data.lines.map((line) => <LineCard key={line.connection_id} line={line} deployments={data.deployments} />)}</div>
}

/** Who answers which number, and how the lines are. */
export const DeploymentPages = () => {
  const tab = presentTab(tabs)
  const isAdding = useSignal(false)
  return (
    <>
      <PageHead title="Deployments and numbers">
        {tab === "deployments" && canChange.value && <Button kind="primary" icon="plus" onClick={() => (isAdding.value = true)}>New deployment</Button>}
      </PageHead>
      <Tabs tabs={tabs} at={["deployments"]} />
      {tab === "deployments" && <Deployments isAdding={isAdding} />}
      {tab === "lines" && <Lines />}
      {tab === "blocked" && <BlockedNumbers />}
    </>
  )
}
