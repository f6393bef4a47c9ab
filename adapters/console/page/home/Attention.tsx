import { api } from "../api/client.js"
import type { CampaignMetadata, LineDetail, ProgressRecord } from "../api/types.js"
import { addressOf } from "../state/location.js"
import { Icon } from "../ui/Icon.js"
import { Link } from "../ui/Link.js"
import { momentText, numberText, withMoments } from "../ui/Time.js"

/** One thing that needs a person, with its next step. */
export interface Concern {
  readonly kind: "bad" | "warn"
  readonly title: string
  readonly next: string
  readonly to: string
}

const concernsOfLine = (line: LineDetail): ReadonlyArray<Concern> => {
  const to = addressOf(["deployments"], { tab: "lines" })
  if (line.health === "paused") {
    const until = line.paused_until === null ? "" : ` until ${momentText(line.paused_until)}`
    return [{ kind: "warn", title: `Line ${line.connection_id} is paused${until}`, next: line.reason ?? "It resumes by itself.", to }]
  }
  if (line.registration?.status === "failed" || line.reachable === false) {
    const reason = line.last_failure?.reason ?? "Its server does not answer."
    return [{ kind: "bad", title: `Line ${line.connection_id} cannot be used`, next: reason, to }]
  }
  return []
}

const concernsOfCampaign = ({ campaign_id, name }: CampaignMetadata, progress: ProgressRecord): ReadonlyArray<Concern> => {
  const to = addressOf(["campaigns", campaign_id])
  const { unknown } = progress.outcomes
  const people = addressOf(["campaigns", campaign_id], { tab: "people", reason: "outcome_unknown" })
  return [
    ...(unknown > 0
      ? [{
        kind: "warn" as const,
        title: `${numberText(unknown)} ${unknown === 1 ? "call" : "calls"} of ${name} ended unknown`,
        next: "They are not dialled again by themselves. See whom they concern.",
        to: people
      }]
      : []),
    ...(progress.hold === "line_missing" || progress.hold === "line_paused" || progress.hold === "agent_version"
      ? [{ kind: "bad" as const, title: `${name} does not dial`, next: withMoments(progress.explanation ?? ""), to }]
      : [])
  ]
}

/** Asks for what needs attention: lines, and the campaigns that are active, with their webhooks. */
export const loadConcerns = async (campaigns: ReadonlyArray<readonly [CampaignMetadata, ProgressRecord]>) => {
  const [lines, webhooks] = await Promise.all([
    api().lines.list(),
    Promise.all(campaigns.map(async ([campaign]) => {
      const { items } = await api().webhooks.list(campaign.campaign_id, { status: "failed", limit: 50 })
      return items.length === 0 ? [] : [{
        kind: "bad" as const,
        title: `${numberText(items.length)} webhooks of ${campaign.name} were given up`,
        next: items[0]?.last_error ?? "Their receiver did not accept them. Mend it, then send them again.",
        to: addressOf(["campaigns", campaign.campaign_id], { tab: "webhooks" })
      }]
    }))
  ])
  return [
    ...lines.items.flatMap(concernsOfLine),
    ...campaigns.flatMap(([campaign, progress]) => concernsOfCampaign(campaign, progress)),
    ...webhooks.flat()
  ]
}

export const Attention = ({ concerns }: { readonly concerns: ReadonlyArray<Concern> }) => (
  <ul class="tight">
    {concerns.map(({ kind, next, title, to }) => (
      <li key={title} class={`note ${kind}`}>
        <Icon name="warning" />
        <div class="tight">
          <Link to={to}><b>{title}</b></Link>
          <span class="small">{next}</span>
        </div>
      </li>
    ))}
  </ul>
)
