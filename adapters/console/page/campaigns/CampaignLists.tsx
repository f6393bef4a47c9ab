import { useSignal } from "@preact/signals"
import { api, blobOf } from "../api/client.js"
import { TrunklineError } from "@trunkline/client"
import { useLoad } from "../api/load.js"
import type { CampaignDetail, Cohort } from "../api/types.js"
import { canChange } from "../state/session.js"
import { Badge } from "../ui/Badge.js"
import { Button } from "../ui/Button.js"
import { Card, Empty, Skeleton } from "../ui/Card.js"
import { FailureNote } from "../ui/Note.js"
import { numberText, Time } from "../ui/Time.js"
import { reportDone } from "../ui/Toasts.js"
import { type ListDraft, ListFields, newDraft, uploadBody } from "./ListFields.js"

/** Hands a file of the server to the browser. */
const save = (name: string, blob: Blob) => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

const Row = ({ campaign, cohort }: { readonly campaign: string; readonly cohort: Cohort }) => {
  const counts = cohort.result ?? cohort.progress
  const download = async () =>
    save(`${cohort.name}-rejected.csv`, await blobOf(api().cohorts.fileOfCampaign(campaign, cohort.cohort_id, { file_type: "rejected_records" })))
  return (
    <tr>
      <td><b>{cohort.name}</b><div class="mono muted">{cohort.cohort_id}</div></td>
      <td>{cohort.cohort_category === "stop_file" ? "Do not call" : "People"}</td>
      <td>
        <Badge code={cohort.status} live={cohort.status === "processing"} />
        {cohort.progress && <div class="small muted">{cohort.progress.percent} %</div>}
        {cohort.failure_reason && <div class="small">{cohort.failure_reason}</div>}
      </td>
      <td class="right">{counts === null ? "–" : numberText(counts.total_records)}</td>
      <td class="right">{counts === null ? "–" : numberText(counts.valid_records)}</td>
      <td class="right">{counts === null ? "–" : numberText(counts.rejected_records)}</td>
      <td><Time iso={cohort.created_at} /></td>
      <td>{cohort.result !== null && cohort.result.rejected_records > 0 && <Button size="small" onClick={download}>Rejected rows</Button>}</td>
    </tr>
  )
}

/** The lists of a campaign, and the upload of another one. */
export const CampaignLists = ({ campaign }: { readonly campaign: CampaignDetail }) => {
  const id = campaign.campaign_id
  const { reload, state } = useLoad(() => api().cohorts.listOfCampaign(id, { limit: 100 }), [id], { everyMillis: 2000 })
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
  const isOver = campaign.status === "ended" || campaign.status === "cancelled"
  return (
    <div class="stack">
      <Card flush title="Lists">
        <FailureNote failure={state.value.failure} onRetry={reload} />
        {data === undefined && state.value.failure === undefined && <Skeleton />}
        {data && data.items.length === 0 && <Empty title="No list yet"><p>Upload a CSV file below: one row for each person.</p></Empty>}
        {data && data.items.length > 0 && (
          <div class="table-wrap" tabIndex={0} role="region" aria-label="Lists">
            <table>
              <thead>
                <tr>
                  <th>Name</th><th>Kind</th><th>State</th><th class="right">Rows</th><th class="right">Taken</th>
                  <th class="right">Rejected</th><th>Uploaded</th><th><span class="visually-hidden">Actions</span></th>
                </tr>
              </thead>
              <tbody>{data.items.map((cohort) => <Row key={cohort.cohort_id} campaign={id} cohort={cohort} />)}</tbody>
            </table>
          </div>
        )}
      </Card>
      {!isOver && canChange.value && (
        <Card title="Upload a list">
          <FailureNote failure={failure.value} />
          <ListFields value={draft.value} onChange={(value) => (draft.value = value)} issues={failure.value?.issues ?? []} />
          <div><Button kind="primary" icon="upload" disabled={draft.value.file === null} onClick={upload}>Upload</Button></div>
        </Card>
      )}
    </div>
  )
}
