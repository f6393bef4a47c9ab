import { setTimeout as pause } from "node:timers/promises"
import { Client, DemoFailed } from "./Client.js"
import type { DemoAttempt } from "./DemoAttempt.js"
import { showBoard } from "./DemoBoard.js"
import type { DemoPlan } from "./DemoPlan.js"
import { nextSteps } from "./NextSteps.js"
import { progressShow } from "./Progress.js"
import { type Receiver, startReceiver } from "./Receiver.js"
import { rejectedLines } from "./Rejected.js"
import { type DemoResult, summary, surprises } from "./Summary.js"

interface CohortMetadata {
  readonly cohort_id: string
  readonly status: string
  readonly failure_reason: string | null
  readonly progress: { readonly total_records: number; readonly percent: number } | null
  readonly result: Readonly<Record<"total_records" | "valid_records" | "rejected_records", number>> | null
}

interface CampaignMetadata {
  readonly campaign_id: string
  readonly status: string
}

interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly total: number
  readonly next_page_uri: string | null
}

const day = 86_400_000

/** Real milliseconds between two polls of the campaign: the API allows one a second. */
const lookEvery = 1_200

/** Real milliseconds before the first look at the contacts, which are few. */
const firstLook = 200

/** Real milliseconds between two looks at what has arrived here. */
const checkEvery = 100

/** Real milliseconds that late webhooks have after the campaign has ended. */
const webhookPatience = 10_000

/**
 * Runs one campaign over the public API, shows its progress and its summary, and for a server that stays how to go on;
 * true when everyone ended as expected.
 */
export const runDemo = async (
  url: string,
  plan: DemoPlan,
  { stays }: { readonly stays: boolean }
): Promise<boolean> => {
  const receiver = plan.webhooks ? await startReceiver() : null
  try {
    const result = await holdCampaign(url, plan, receiver)
    console.log(summary(result))
    if (stays) console.log(`\n${nextSteps(url, plan, result.traces)}`)
    return surprises(result).length === 0
  } finally {
    receiver?.close()
  }
}

const holdCampaign = async (url: string, plan: DemoPlan, receiver: Receiver | null): Promise<DemoResult> => {
  const client = new Client(url, plan.key)
  const [org, workspace, agent] = [plan.org, plan.workspace, plan.agent.app_id].map(encodeURIComponent)
  const campaigns = `/v1/orgs/${org}/workspaces/${workspace}/campaigns`
  const { time } = await client.get<{ readonly time: string }>("/health")
  const started = Date.parse(time)

  const earlier = await client.get<Page<CampaignMetadata>>(`${campaigns}?campaign_status=active`)
  for (const { campaign_id } of earlier.items) {
    console.log(`Campaign ${campaign_id}, begun before, goes on beside the new one.`)
  }
  const campaign = await client.post<CampaignMetadata>(campaigns, campaignBody(plan, started, receiver))
  const campaignPath = `${campaigns}/${campaign.campaign_id}`
  console.log(`\nCampaign ${campaign.campaign_id} calls everyone in ${plan.contacts.name}.`)
  console.log(`Business time runs ${plan.speed} times as fast as the clock on the wall, on a simulated phone network.`)

  const calls = `/v1/orgs/${org}/workspaces/${workspace}/calls/live?campaign_id=${campaign.campaign_id}`
  const watching = await watchCampaign(client, campaignPath, calls)
  const cohort = await uploadContacts(client, `${campaignPath}/cohorts`, plan)
  if (cohort.result === null) {
    watching.stop()
    throw new DemoFailed(`The contacts could not be read: ${cohort.failure_reason ?? cohort.status}`)
  }

  const attemptsOf = (limit: number) =>
    `/analytics/v1/${org}/${workspace}/${agent}/attempts?${attemptsQuery(started, campaign.campaign_id, limit)}`
  await watching.untilOver(cohort.result.valid_records)

  const listed = await allPages<DemoAttempt>(client, attemptsOf(100))
  const posted = receiver === null ? listed : await webhooksOf(receiver, listed.length)
  const board = await showBoard(client, {
    base: `/api/analytics/v1/${org}/${workspace}`,
    campaign: campaign.campaign_id,
    calls: listed.length
  })
  const rejected = await client.text(`${campaignPath}/cohorts/${cohort.cohort_id}/files?file_type=rejected_records`)
  return {
    rows: cohort.result,
    rejected: await rejectedLines(rejected),
    attempts: posted,
    deliveries: receiver === null ? null : receiver.deliveries(),
    listed: listed.length,
    expected: plan.expected,
    board,
    traces: { campaign: campaign.campaign_id, attempts: attemptsOf(3), board: board.board, widget: board.widget }
  }
}

/** A campaign that starts at once, dials almost around the clock and retries soon, so that a spectator sees all of it. */
const campaignBody = (plan: DemoPlan, started: number, receiver: Receiver | null) => ({
  name: "Payment reminders",
  description: "The demo: everyone in the contacts file, on the simulated phone network",
  app_config: {
    ...plan.agent,
    attempts_per_second: 2,
    connection_configs: [{
      connection_id: plan.connection.connection_id,
      phone_numbers: plan.connection.phone_numbers
    }],
    retry_config: {
      max_retries: 2,
      retry_interval_minutes: [2, 4],
      retry_on: { provider_error: { max_retries: 1, retry_interval_minutes: 2 } }
    },
    ...(receiver === null ? {} : { webhook_config: { url: receiver.url, metadata: { source: "demo" } } })
  },
  start_timestamp: new Date(started).toISOString(),
  end_timestamp: new Date(started + 7 * day).toISOString(),
  allowed_schedule: {
    allowed_start_time: "00:00",
    allowed_end_time: "23:59",
    allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    timezone: "Asia/Kolkata"
  }
})

/** Uploads the contacts, and follows their import to its end. */
const uploadContacts = async (client: Client, path: string, plan: DemoPlan): Promise<CohortMetadata> => {
  let cohort = await client.upload<CohortMetadata>(`${path}/upload`, contactsForm(plan))
  for (let wait = firstLook; cohort.status === "processing"; wait = lookEvery) {
    await pause(wait)
    cohort = await client.get<CohortMetadata>(`${path}/${cohort.cohort_id}`)
    if (cohort.progress !== null) {
      console.log(`Reading the contacts: ${cohort.progress.total_records} rows, ${cohort.progress.percent} %`)
    }
  }
  return cohort
}

const contactsForm = (plan: DemoPlan): FormData => {
  const form = new FormData()
  form.set("name", plan.contacts.name.replace(/[^\p{L}\p{N}_ -]/gu, " ").slice(0, 50))
  form.set("cohort_file", new Blob([plan.contacts.text], { type: "text/csv" }), "contacts.csv")
  form.set(
    "cohort_transformation_file",
    new Blob([plan.transformation], { type: "application/json" }),
    "transformation.json"
  )
  return form
}

const attemptsQuery = (started: number, campaign_id: string, limit: number): URLSearchParams =>
  new URLSearchParams({
    start_datetime: new Date(started - 60_000).toISOString(),
    end_datetime: new Date(started + 8 * day).toISOString(),
    limit: String(limit),
    sort_by: "attempted_at",
    sort_order: "asc",
    filter_conditions: JSON.stringify([
      { id: "campaign", field: "campaign_id", operator: "equals", value: campaign_id }
    ])
  })

/** Follows the campaign's calls as they go on, and shows how far it is. */
const watchCampaign = async (client: Client, campaignPath: string, calls: string) => {
  const watching = new AbortController()
  const seen = { calls: 0, done: 0 }
  let show = () => {}
  await client.watch(calls, watching.signal, ({ next_action_status, type }) => {
    if (type === "attempt.started") seen.calls += 1
    if (type === "attempt.ended" && next_action_status === null) seen.done += 1
    show()
  })
  const stop = () => watching.abort()
  const untilOver = async (people: number): Promise<void> => {
    const progress = progressShow(process.stdout)
    let { status } = await client.get<CampaignMetadata>(campaignPath)
    show = () => progress.show({ people, ...seen, status })
    while (status !== "ended" && status !== "cancelled") {
      show()
      await pause(lookEvery)
      status = (await client.get<CampaignMetadata>(campaignPath)).status
    }
    show()
    stop()
    progress.end()
  }
  return { stop, untilOver }
}

const allPages = async <A>(client: Client, first: string): Promise<ReadonlyArray<A>> => {
  const items: Array<A> = []
  for (let path: string | null = first; path !== null;) {
    const page: Page<A> = await client.get(path)
    items.push(...page.items)
    path = page.next_page_uri
  }
  return items
}

/** The attempts that were posted, once as many as are listed have arrived. */
const webhooksOf = async (receiver: Receiver, expected: number): Promise<ReadonlyArray<DemoAttempt>> => {
  for (let waited = 0; receiver.attempts.size < expected && waited < webhookPatience; waited += checkEvery) {
    await pause(checkEvery)
  }
  return [...receiver.attempts.values()].sort((a, b) => a.attempt_id < b.attempt_id ? -1 : 1)
}
