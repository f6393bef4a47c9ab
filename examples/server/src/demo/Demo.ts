import { setTimeout as pause } from "node:timers/promises"
import { campaignBody, contactsForm } from "./CampaignForms.js"
import { Client, DemoFailed } from "./Client.js"
import type { DemoAttempt } from "./DemoAttempt.js"
import { type DemoBoard, demoBoard, drawableWidget, runBoard } from "./DemoBoard.js"
import type { DemoPlan } from "./DemoPlan.js"
import { nextSteps, watchIt } from "./NextSteps.js"
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

/** Options of the demo. */
interface DemoOptions {
  /** True when the server goes on when the demo has ended. */
  readonly stays: boolean
  /** A line for the operator, below the link to the board. */
  readonly note: Promise<string>
}

/**
 * Runs one campaign over the public API. For a server that stays it says first where to watch, and at the end how to go on;
 * in between it shows progress and the summary. True when everyone ended as expected.
 */
export const runDemo = async (url: string, plan: DemoPlan, { note, stays }: DemoOptions): Promise<boolean> => {
  const receiver = plan.webhooks ? await startReceiver() : null
  try {
    const demo = await beginCampaign(url, plan, receiver)
    const ids = { campaign: demo.campaign, board: demo.board.id }
    if (stays) console.log(watchIt(url, plan, ids))
    console.log(await note)
    const result = await holdCampaign(plan, demo, receiver)
    console.log(summary(result))
    const traces = { ...ids, widget: drawableWidget(demo.board), attempts: attemptsOf(plan, demo, 3) }
    if (stays) console.log(`\n${nextSteps(url, plan, traces)}`)
    return surprises(result).length === 0
  } finally {
    receiver?.close()
  }
}

/** The campaign of the demo, to which nobody belongs yet, and the board that shows it. */
interface Begun {
  readonly client: Client
  readonly started: number
  readonly campaign: string
  readonly board: DemoBoard
  /** Ids of campaigns of earlier demos that are still active. */
  readonly earlier: ReadonlyArray<string>
}

/** Paths of the API in the workspace of the demo. */
const pathsOf = (plan: DemoPlan) => {
  const [org, workspace, agent] = [plan.org, plan.workspace, plan.agent.app_id].map(encodeURIComponent)
  const inWorkspace = `/v1/orgs/${org}/workspaces/${workspace}`
  return {
    attempts: `/analytics/v1/${org}/${workspace}/${agent}/attempts`,
    boards: `/api/analytics/v1/${org}/${workspace}`,
    calls: `${inWorkspace}/calls/live`,
    campaigns: `${inWorkspace}/campaigns`
  }
}

const beginCampaign = async (url: string, plan: DemoPlan, receiver: Receiver | null): Promise<Begun> => {
  const client = new Client(url, plan.key)
  const { boards, campaigns } = pathsOf(plan)
  const { time } = await client.get<{ readonly time: string }>("/health")
  const started = Date.parse(time)
  const earlier = await client.get<Page<CampaignMetadata>>(`${campaigns}?campaign_status=active`)
  const board = await demoBoard(client, boards)
  const { campaign_id } = await client.post<CampaignMetadata>(campaigns, campaignBody(plan, started, receiver))
  return { client, started, campaign: campaign_id, board, earlier: earlier.items.map((each) => each.campaign_id) }
}

const attemptsOf = (plan: DemoPlan, { campaign, started }: Begun, limit: number): string =>
  `${pathsOf(plan).attempts}?${attemptsQuery(started, campaign, limit)}`

const holdCampaign = async (plan: DemoPlan, begun: Begun, receiver: Receiver | null): Promise<DemoResult> => {
  const { board, campaign, client, earlier } = begun
  const { boards, calls, campaigns } = pathsOf(plan)
  for (const id of earlier) console.log(`Campaign ${id}, begun before, goes on beside the new one.`)
  const campaignPath = `${campaigns}/${campaign}`
  console.log(`\nCampaign ${campaign} calls everyone in ${plan.contacts.name}.`)
  console.log(`Business time runs ${plan.speed} times as fast as the clock on the wall, on a simulated phone network.`)

  const watching = await watchCampaign(client, campaignPath, `${calls}?campaign_id=${campaign}`)
  const cohort = await uploadContacts(client, `${campaignPath}/cohorts`, plan)
  if (cohort.result === null) {
    watching.stop()
    throw new DemoFailed(`The contacts could not be read: ${cohort.failure_reason ?? cohort.status}`)
  }

  await watching.untilOver(cohort.result.valid_records)

  const listed = await allPages<DemoAttempt>(client, attemptsOf(plan, begun, 100))
  const posted = receiver === null ? listed : await webhooksOf(receiver, listed.length)
  const ran = await runBoard(client, { base: boards, board, campaign, calls: listed.length })
  const rejected = await client.text(`${campaignPath}/cohorts/${cohort.cohort_id}/files?file_type=rejected_records`)
  return {
    rows: cohort.result,
    rejected: await rejectedLines(rejected),
    attempts: posted,
    deliveries: receiver === null ? null : receiver.deliveries(),
    listed: listed.length,
    expected: plan.expected,
    board: ran
  }
}

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
