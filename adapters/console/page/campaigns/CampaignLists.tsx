import { useSignal } from "@preact/signals"
import { api, blobOf } from "../api/client.js"
import { TrunklineError } from "@trunkline/client"
import { useLoad } from "../api/load.js"
import { isOver } from "../api/people.js"
import type { CampaignDetail, Cohort } from "../api/types.js"
import { canChange } from "../state/session.js"
import { Badge } from "../ui/Badge.js"
import { Button } from "../ui/Button.js"
import { Card, Empty, Skeleton } from "../ui/Card.js"
import { FailureNote } from "../ui/Note.js"
import { Table, type TableColumn } from "../ui/Table.js"
import { numberText, Time } from "../ui/Time.js"
import { reportDone } from "../ui/Toasts.js"
import { ListFields } from "./ListFields.js"
import { type ListDraft, newDraft, uploadBody } from "./mapping.js"

/** Hands a file of the server to the browser. */
const save = (name: string, blob: Blob) => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

const countText = ({ progress, result }: Cohort, name: "total_records" | "valid_records" | "rejected_records") => {
  const counts = result ?? progress
  return counts === null ? "–" : numberText(counts[name])
}

const columns = (campaign: string): ReadonlyArray<TableColumn<Cohort>> => [
  { title: "Name", cell: ({ cohort_id, name }) => <><b>{name}</b><div class="mono muted">{cohort_id}</div></> },
  { title: "Kind", cell: ({ cohort_category }) => cohort_category === "stop_file" ? "Do not call" : "People" },
  { title: "State", cell: ({ failure_reason, progress, status }) => (
    <>
      <Badge code={status} live={status === "processing"} />
      {progress && <div class="small muted">{progress.percent} %</div>}
      {failure_reason && <div class="small">{failure_reason}</div>}
    </>
  ) },
  { title: "Taken", right: true, cell: (cohort) => `${countText(cohort, "valid_records")} of ${countText(cohort, "total_records")}` },
  { title: "Rejected", right: true, cell: (cohort) => countText(cohort, "rejected_records") },
  { title: "Uploaded", cell: ({ created_at }) => <Time iso={created_at} /> },
  { title: "Actions", right: true, untitled: true, cell: ({ cohort_id, name, result }) => {
    const download = async () =>
      save(`${name}-rejected.csv`, await blobOf(api().cohorts.fileOfCampaign(campaign, cohort_id, { file_type: "rejected_records" })))
    return result !== null && result.rejected_records > 0 && <Button size="small" onClick={download}>Rejected rows</Button>
  } }
]

/** The lists of a campaign, and the upload of another one. */
export const CampaignLists = ({ campaign }: { readonly campaign: CampaignDetail }) => {
  const id = campaign.campaign_id
  const { reload, state } = useLoad(() => api().cohorts.listOfCampaign(id, { limit: 100 }), [id], { everyMillis: 2000 })
  const { app_id, app_version } = campaign.app_config
  const agent = useLoad(() => api().agents.get(app_id), [app_id])
  const version = agent.state.value.data?.versions.find((each) => each.app_version === app_version)
  const isKnown = agent.state.value.data !== undefined || agent.state.value.failure !== undefined
  const draft = useSignal<ListDraft>(newDraft())
  const failure = useSignal<TrunklineError | undefined>(undefined)
  const upload = async () => {
    failure.value = undefined
    try {
      await api().cohorts.uploadToCampaign(id, uploadBody(draft.value))
      reportDone("Uploaded. Its rows are being read.")
      draft.value = newDraft()
      reload()
    } catch (error) {
      if (!(error instanceof TrunklineError)) throw error
      failure.value = error
    }
  }
  const { data } = state.value
  return (
    <div class="stack">
      <Card flush title="Lists">
        <FailureNote failure={state.value.failure} onRetry={reload} />
        {data === undefined && state.value.failure === undefined && <Skeleton />}
        {data && data.items.length === 0 && <Empty title="No list yet"><p>Upload a CSV file below: one row for each person.</p></Empty>}
        {data && data.items.length > 0 && (
          <Table label="Lists" columns={columns(id)} rows={data.items} keyOf={({ cohort_id }) => cohort_id} />
        )}
      </Card>
      {!isOver(campaign) && canChange.value && (
        <Card title="Upload a list">
          <FailureNote failure={failure.value} />
          <ListFields
            value={draft.value}
            onChange={(value) => (draft.value = value)}
            issues={failure.value?.issues ?? []}
            declared={isKnown ? version?.variables ?? null : undefined}
          />
          <div><Button kind="primary" icon="upload" disabled={draft.value.file === null || draft.value.phone === ""} onClick={upload}>Upload</Button></div>
        </Card>
      )}
    </div>
  )
}
