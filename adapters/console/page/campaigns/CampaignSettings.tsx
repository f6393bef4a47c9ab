import { useSignal } from "@preact/signals"
import { api } from "../api/client.js"
import { TrunklineError } from "@trunkline/client"
import { isOver } from "../api/people.js"
import type { CampaignDetail } from "../api/types.js"
import { canChange } from "../state/session.js"
import { wordsOf } from "../ui/Badge.js"
import { Button } from "../ui/Button.js"
import { Card } from "../ui/Card.js"
import { Field } from "../ui/Field.js"
import { FailureNote } from "../ui/Note.js"
import { Time } from "../ui/Time.js"
import { reportDone } from "../ui/Toasts.js"
import { ScheduleFields } from "./Schedule.js"

interface Props {
  readonly campaign: CampaignDetail
  readonly onChange: () => void
}

/** Hours and rate, which may change while a campaign runs; and what it was created with. */
export const CampaignSettings = ({ campaign, onChange }: Props) => {
  const { app_config } = campaign
  const schedule = useSignal(campaign.allowed_schedule)
  const rate = useSignal(String(app_config.attempts_per_second ?? 2))
  const budget = useSignal(app_config.budget ? String(app_config.budget.amount) : "")
  const currency = app_config.budget?.currency ?? "USD"
  const failure = useSignal<TrunklineError | undefined>(undefined)
  const isFixed = isOver(campaign) || !canChange.value
  // The server changes campaigns only while they are scheduled or paused.
  const isActive = campaign.status === "active"
  const issues = failure.value?.issues ?? []
  const save = async () => {
    failure.value = undefined
    const { webhook_config: _, budget: before, ...config } = app_config
    const amount = budget.value.trim() === "" ? null : Number(budget.value)
    try {
      if (isActive) await api().campaigns.updateStatus(campaign.campaign_id, { action: "pause" })
      await api().campaigns.update(campaign.campaign_id, {
        allowed_schedule: schedule.value,
        app_config: {
          ...config,
          attempts_per_second: Number(rate.value),
          ...(amount !== null && { budget: { ...before, currency, amount } })
        }
      })
      reportDone("Saved. It applies from the next dial on.")
    } catch (error) {
      if (!(error instanceof TrunklineError)) throw error
      failure.value = error
    } finally {
      // It goes on also when the change was refused.
      if (isActive) await api().campaigns.updateStatus(campaign.campaign_id, { action: "resume" })
      onChange()
    }
  }
  return (
    <div class="grid pair">
      <Card title="Hours, rate and budget">
        <FailureNote failure={failure.value} />
        <ScheduleFields value={schedule.value} onChange={(value) => (schedule.value = value)} issues={issues} disabled={isFixed} />
        <Field label="Dials a second, at most" hint="0.1 to 500" path="app_config.attempts_per_second" issues={issues}>
          <input
            class="input"
            type="number"
            min="0.1"
            max="500"
            step="0.1"
            disabled={isFixed}
            value={rate.value}
            onInput={(event) => (rate.value = event.currentTarget.value)}
          />
        </Field>
        <Field label={`Budget in ${currency}`} hint="Empty for none; the campaign is paused when it is spent" path="app_config.budget.amount" issues={issues}>
          <input
            class="input"
            type="number"
            min="0"
            step="any"
            disabled={isFixed}
            value={budget.value}
            onInput={(event) => (budget.value = event.currentTarget.value)}
          />
        </Field>
        {!isFixed && (
          <div class="row">
            <Button kind="primary" onClick={save}>Save</Button>
            {isActive && <span class="small muted">The campaign pauses for a moment while it is saved.</span>}
          </div>
        )}
      </Card>
      <Card title="Set at its creation">
        <dl class="facts">
          <dt>Agent</dt><dd>{app_config.app_id} · version {app_config.app_version}</dd>
          <dt>Lines</dt>
          <dd>
            {app_config.connection_configs.map(({ connection_id, phone_numbers, weight }) => (
              <div key={connection_id}>{connection_id}: {phone_numbers.join(", ")}{weight === undefined ? "" : ` · weight ${weight}`}</div>
            ))}
          </dd>
          <dt>Starts</dt><dd><Time iso={campaign.start_timestamp} {...zoneOf(campaign)} /></dd>
          <dt>Ends</dt><dd><Time iso={campaign.end_timestamp} {...zoneOf(campaign)} /></dd>
          <dt>Retries</dt><dd>{app_config.retry_config?.max_retries ?? 3}, after {minutesText(app_config.retry_config?.retry_interval_minutes)} minutes</dd>
          <dt>Machines</dt><dd>{wordsOf(app_config.answer_handling?.machine?.action ?? "not looked for")}</dd>
          <dt>Webhook</dt><dd class="mono">{app_config.webhook_config?.url ?? "none"}</dd>
          <dt>Created</dt><dd><Time iso={campaign.created_at} /> by {campaign.created_by}</dd>
          <dt>Id</dt><dd class="mono">{campaign.campaign_id}</dd>
        </dl>
      </Card>
    </div>
  )
}

const zoneOf = ({ allowed_schedule: { timezone } }: CampaignDetail) => (timezone === undefined ? {} : { zone: timezone })

const minutesText = (minutes: number | ReadonlyArray<number> = 30) => (typeof minutes === "number" ? minutes : minutes.join(", "))
