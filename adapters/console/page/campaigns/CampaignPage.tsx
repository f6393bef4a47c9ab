import { useSignal } from "@preact/signals"
import { api } from "../api/client.js"
import { useLoad } from "../api/load.js"
import { isOver } from "../api/people.js"
import type { CampaignDetail } from "../api/types.js"
import { addressOf } from "../state/location.js"
import { canChange } from "../state/session.js"
import { Badge } from "../ui/Badge.js"
import { Button } from "../ui/Button.js"
import { Skeleton } from "../ui/Card.js"
import { Dialog } from "../ui/Dialog.js"
import { Link } from "../ui/Link.js"
import { FailureNote } from "../ui/Note.js"
import { PageHead } from "../ui/PageHead.js"
import { presentTab, Tabs } from "../ui/Tabs.js"
import { reportDone } from "../ui/Toasts.js"
import { CampaignLists } from "./CampaignLists.js"
import { CampaignOverview } from "./CampaignOverview.js"
import { CampaignPeople } from "./CampaignPeople.js"
import { CampaignSettings } from "./CampaignSettings.js"
import { CampaignWebhooks } from "./CampaignWebhooks.js"
import { Rehearsal } from "./rehearsal/Rehearsal.js"

const tabs = [
  { id: "overview", title: "Overview" },
  { id: "people", title: "People" },
  { id: "lists", title: "Lists" },
  { id: "rehearsal", title: "Rehearsal" },
  { id: "webhooks", title: "Webhooks" },
  { id: "settings", title: "Settings" }
]

const doneTexts = { resume: "Resumed", pause: "Paused", cancel: "Cancelled" }

const Actions = ({ campaign, onChange }: { readonly campaign: CampaignDetail; readonly onChange: () => void }) => {
  const isAsking = useSignal(false)
  const change = async (action: "resume" | "pause" | "cancel") => {
    await api().campaigns.updateStatus(campaign.campaign_id, { action })
    isAsking.value = false
    reportDone(`${doneTexts[action]}: ${campaign.name}`)
    onChange()
  }
  if (isOver(campaign) || !canChange.value) return null
  return (
    <>
      {campaign.status === "paused"
        ? <Button kind="primary" icon="play" onClick={() => change("resume")}>Resume</Button>
        : <Button icon="pause" onClick={() => change("pause")}>Pause</Button>}
      <Button kind="danger" icon="stop" onClick={() => (isAsking.value = true)}>Cancel</Button>
      {isAsking.value && (
        <Dialog
          title={`Cancel ${campaign.name}?`}
          onClose={() => (isAsking.value = false)}
          footer={
            <>
              <Button onClick={() => (isAsking.value = false)}>Keep it</Button>
              <Button kind="danger" onClick={() => change("cancel")}>Cancel the campaign</Button>
            </>
          }
        >
          <p>Nobody is called any more. Calls going on finish. A cancelled campaign cannot be started again.</p>
        </Dialog>
      )}
    </>
  )
}

export const CampaignPage = ({ id }: { readonly id: string }) => {
  const { reload, state } = useLoad(() => api().campaigns.get(id), [id], { everyMillis: 10_000 })
  const { data, failure } = state.value
  const tab = presentTab(tabs)
  return (
    <>
      <PageHead
        title={data?.name ?? "Campaign"}
        crumb={<Link to={addressOf(["campaigns"])}>Campaigns</Link>}
        badge={data && <Badge code={data.status} live={data.status === "active"} />}
      >
        {data && <Actions campaign={data} onChange={reload} />}
      </PageHead>
      <FailureNote failure={failure} onRetry={reload} />
      {data === undefined && failure === undefined && <Skeleton lines={6} />}
      {data && (
        <>
          <Tabs tabs={tabs} at={["campaigns", id]} />
          {tab === "overview" && <CampaignOverview campaign={data} />}
          {tab === "people" && <CampaignPeople id={id} />}
          {tab === "lists" && <CampaignLists campaign={data} />}
          {tab === "rehearsal" && <Rehearsal id={id} zone={data.allowed_schedule.timezone} />}
          {tab === "webhooks" && <CampaignWebhooks id={id} />}
          {tab === "settings" && <CampaignSettings campaign={data} onChange={reload} />}
        </>
      )}
    </>
  )
}
