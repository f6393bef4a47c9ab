import { useSignal } from "@preact/signals"
import { api } from "../api/client.js"
import { isOver } from "../api/people.js"
import type { ProgressRecord } from "../api/types.js"
import { canChange } from "../state/session.js"
import { Badge } from "../ui/Badge.js"
import { Button } from "../ui/Button.js"
import { Card } from "../ui/Card.js"
import { Dialog } from "../ui/Dialog.js"
import { Table, type TableColumn } from "../ui/Table.js"
import { numberText } from "../ui/Time.js"
import { reportDone } from "../ui/Toasts.js"

type CanaryRecord = NonNullable<ProgressRecord["canary"]>

const percentText = (share: number) => `${(100 * share).toFixed(1)} %`

const metricText = (metric: CanaryRecord["metric"]): string => {
  if (metric === "completed") return "completed"
  if (metric === "not_refused") return "did not refuse further calls"
  const { better, values, variable } = metric
  return `${better === "less" ? "without " : ""}${variable}${values === undefined ? "" : ` ${values.join(" or ")}`}`
}

interface Arm {
  readonly name: string
  readonly arm: CanaryRecord["control"]
}

/** Bounds of the true share, in words and as a part of a bar. */
const Interval = ({ conversations, high, low }: Arm["arm"]) =>
  conversations === 0 ? <>–</> : (
    <>
      {percentText(low)} to {percentText(high)}
      <span class="bar" aria-hidden="true">
        <i style={{ width: percentText(low), background: "transparent" }} />
        <i class="info" style={{ width: percentText(high - low) }} />
      </span>
    </>
  )

const columns: ReadonlyArray<TableColumn<Arm>> = [
  { title: "Arm", cell: ({ arm, name }) => <b>{name}, version {arm.app_version}</b> },
  { title: "Conversations", right: true, cell: ({ arm }) => numberText(arm.conversations) },
  { title: "Share", right: true, cell: ({ arm }) => <span class="nowrap">{arm.share === null ? "–" : percentText(arm.share)}</span> },
  { title: "95 % interval", cell: ({ arm }) => <Interval {...arm} /> }
]

const doneTexts = { stop: "Canary stopped", promote: "Canary promoted" }

const askTexts = {
  stop: "All further contacts are called with the version of the campaign. Calls going on finish as they are.",
  promote: "Its version becomes that of the campaign, for all further contacts. Calls going on finish as they are."
}

const Actions = ({ id, onChange }: { readonly id: string; readonly onChange: () => void }) => {
  const asked = useSignal<"stop" | "promote" | null>(null)
  const change = async (action: "stop" | "promote") => {
    await api().canaries.updateStatus(id, { action })
    asked.value = null
    reportDone(doneTexts[action])
    onChange()
  }
  const action = asked.value
  return (
    <div class="row">
      <Button kind="danger" icon="stop" onClick={() => (asked.value = "stop")}>Stop the canary</Button>
      <Button onClick={() => (asked.value = "promote")}>Promote it</Button>
      {action !== null && (
        <Dialog
          title={action === "stop" ? "Stop the canary?" : "Promote the canary?"}
          onClose={() => (asked.value = null)}
          footer={
            <>
              <Button onClick={() => (asked.value = null)}>Let it run</Button>
              <Button kind={action === "stop" ? "danger" : "primary"} onClick={() => change(action)}>
                {action === "stop" ? "Stop" : "Promote"}
              </Button>
            </>
          }
        >
          <p>{askTexts[action]}</p>
        </Dialog>
      )}
    </div>
  )
}

const stateText = ({ end_reason, evidence, status, stops_at }: CanaryRecord): string => {
  if (end_reason === "worse") return "It has stopped itself, because its outcomes were worse beyond chance."
  if (status === "promoted") return "Its version is now that of the campaign."
  if (status === "ended") return "The campaign was over before its outcomes were clear enough to stop it."
  if (status === "stopped") return "It was stopped by a request."
  const text = evidence >= 1000 ? "over 1,000" : evidence.toFixed(1)
  return `Evidence that it is worse: ${text}. It stops itself at ${numberText(Math.round(stops_at))}.`
}

/** Both arms of a campaign's canary with their intervals, and the buttons that end it; nothing without one. */
export const CanaryCard = ({ id, onChange, progress: { canary, status } }: {
  readonly id: string
  readonly progress: ProgressRecord
  readonly onChange: () => void
}) => {
  if (canary == null) return null
  const isEnded = isOver({ status })
  return (
    <Card title="Canary">
      <p class="spread">
        <span>{canary.percent} % of the contacts, by the share of conversations that are {metricText(canary.metric)}</span>
        <Badge code={canary.status} live={canary.status === "running" && !isEnded} />
      </p>
      <Table
        label="Arms of the canary"
        columns={columns}
        rows={[{ name: "Control", arm: canary.control }, { name: "Canary", arm: canary.canary }]}
        keyOf={({ name }) => name}
      />
      <p class="small muted">{stateText(canary)}</p>
      {canary.status === "running" && !isEnded && canChange.value && <Actions id={id} onChange={onChange} />}
    </Card>
  )
}
