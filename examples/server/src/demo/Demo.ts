import { createClient, type TrunklineClient, TrunklineError } from "@trunkline/client"
import { setTimeout as pause } from "node:timers/promises"
import { StartError } from "trunkline/server"
import { campaignBody, contactsForm } from "./CampaignForms.js"
import type { DemoAttempt } from "./DemoAttempt.js"
import { type DemoBoard, demoBoard, drawableWidget, runBoard } from "./DemoBoard.js"
import type { DemoPlan } from "./DemoPlan.js"
import { nextSteps, watchIt } from "./NextSteps.js"
import { progressShow } from "./Progress.js"
import { type Receiver, startReceiver } from "./Receiver.js"
import { rejectedLines } from "./Rejected.js"
import { type DemoResult, summary, surprises } from "./Summary.js"

const day = 86_400_000

/** Real milliseconds between two polls of the campaign: the API allows one a second. */
const lookEvery = 1_200

/** Real milliseconds before the first look at the contacts, which are few. */
const firstLook = 200

/** Real milliseconds between two looks at what has arrived here. */
const checkEvery = 100

/** Real milliseconds that late webhooks have after the campaign has ended. */
const webhookPatience = 10_000

/** Tries of a request that the server puts off, since the demo shares its limits with whoever watches. */
const maxRetries = 60

/** The refusal of a request, with its status and its id. */
const explain = ({ message, requestId, status }: TrunklineError): string =>
  `The demo cannot go on: ${status ?? "no answer"}: ${message}${requestId === null ? "" : ` (request ${requestId})`}`

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
  } catch (error) {
    throw error instanceof TrunklineError ? new StartError(explain(error)) : error
  } finally {
    receiver?.close()
  }
}

/** The campaign of the demo, to which nobody belongs yet, and the board that shows it. */
interface Begun {
  readonly client: TrunklineClient
  readonly started: number
  readonly campaign: string
  readonly board: DemoBoard
  /** Ids of campaigns of earlier demos that are still active. */
  readonly earlier: ReadonlyArray<string>
}

const beginCampaign = async (url: string, plan: DemoPlan, receiver: Receiver | null): Promise<Begun> => {
  const client = createClient({
    baseUrl: url,
    apiKey: plan.key,
    workspace: `${plan.org}/${plan.workspace}`,
    maxRetries
  })
  const health: { readonly time: string } = JSON.parse(await (await fetch(`${url}/health`)).text())
  const started = Date.parse(health.time)
  const earlier = await client.campaigns.list({ campaign_status: "active" })
  const board = await demoBoard(client)
  const { campaign_id } = await client.campaigns.create(campaignBody(plan, started, receiver))
  return { client, started, campaign: campaign_id, board, earlier: earlier.items.map((each) => each.campaign_id) }
}

/** Path of the list of attempts, for a command that the person can try. */
const attemptsOf = (plan: DemoPlan, { campaign, started }: Begun, limit: number): string => {
  const [org, workspace, agent] = [plan.org, plan.workspace, plan.agent.app_id].map(encodeURIComponent)
  const { filter_conditions, ...query } = attemptsQuery(started, campaign)
  const search = new URLSearchParams({ ...query, limit: String(limit), filter_conditions })
  return `/analytics/v1/${org}/${workspace}/${agent}/attempts?${search}`
}

const holdCampaign = async (plan: DemoPlan, begun: Begun, receiver: Receiver | null): Promise<DemoResult> => {
  const { board, campaign, client, earlier } = begun
  for (const id of earlier) console.log(`Campaign ${id}, begun before, goes on beside the new one.`)
  console.log(`\nCampaign ${campaign} calls everyone in ${plan.contacts.name}.`)
  console.log(`Business time runs ${plan.speed} times as fast as the clock on the wall, on a simulated phone network.`)

  const watching = watchCampaign(client, campaign)
  const cohort = await uploadContacts(client, campaign, plan)
  if (cohort.result === null) {
    watching.stop()
    throw new StartError(`The contacts could not be read: ${cohort.failure_reason ?? cohort.status}`)
  }

  await watching.untilOver(cohort.result.valid_records)

  const listed: Array<DemoAttempt> = []
  const query = { ...attemptsQuery(begun.started, campaign), limit: 100 }
  for await (const attempt of client.analytics.attempts(plan.agent.app_id, query)) listed.push(attempt)
  const posted = receiver === null ? listed : await webhooksOf(receiver, listed.length)
  const ran = await runBoard(client, { board, campaign, calls: listed.length })
  const file = await client.cohorts.fileOfCampaign(campaign, cohort.cohort_id, { file_type: "rejected_records" })
  return {
    rows: cohort.result,
    rejected: await rejectedLines(new TextDecoder().decode(await file.bytes())),
    attempts: posted,
    deliveries: receiver === null ? null : receiver.deliveries(),
    listed: listed.length,
    expected: plan.expected,
    board: ran
  }
}

/** Uploads the contacts, and follows their import to its end. */
const uploadContacts = async (client: TrunklineClient, campaign: string, plan: DemoPlan) => {
  let cohort = await client.cohorts.uploadToCampaign(campaign, contactsForm(plan))
  for (let wait = firstLook; cohort.status === "processing"; wait = lookEvery) {
    await pause(wait)
    cohort = await client.cohorts.getOfCampaign(campaign, cohort.cohort_id)
    if (cohort.progress !== null) {
      console.log(`Reading the contacts: ${cohort.progress.total_records} rows, ${cohort.progress.percent} %`)
    }
  }
  return cohort
}

const attemptsQuery = (started: number, campaign_id: string) => ({
  start_datetime: new Date(started - 60_000).toISOString(),
  end_datetime: new Date(started + 8 * day).toISOString(),
  sort_by: "attempted_at" as const,
  sort_order: "asc" as const,
  filter_conditions: JSON.stringify([
    { id: "campaign", field: "campaign_id", operator: "equals", value: campaign_id }
  ])
})

/** Follows the campaign's calls as they go on, and shows how far it is. */
const watchCampaign = (client: TrunklineClient, campaign: string) => {
  const watching = new AbortController()
  const seen = { calls: 0, done: 0 }
  let show = () => {}
  const listen = async () => {
    for await (const event of client.live({ campaign, signal: watching.signal })) {
      if (event.type === "attempt.started") seen.calls += 1
      if (event.type === "attempt.ended" && event.next_action_status === null) seen.done += 1
      show()
    }
  }
  // Progress is shown without the counts where events cannot be heard.
  listen().catch(() => undefined)
  const stop = () => watching.abort()
  const untilOver = async (people: number): Promise<void> => {
    const progress = progressShow(process.stdout)
    let { status } = await client.campaigns.get(campaign)
    show = () => progress.show({ people, ...seen, status })
    while (status !== "ended" && status !== "cancelled") {
      show()
      await pause(lookEvery)
      status = (await client.campaigns.get(campaign)).status
    }
    show()
    stop()
    progress.end()
  }
  return { stop, untilOver }
}

/** The attempts that were posted, once as many as are listed have arrived. */
const webhooksOf = async (receiver: Receiver, expected: number): Promise<ReadonlyArray<DemoAttempt>> => {
  for (let waited = 0; receiver.attempts.size < expected && waited < webhookPatience; waited += checkEvery) {
    await pause(checkEvery)
  }
  return [...receiver.attempts.values()].sort((a, b) => a.attempt_id < b.attempt_id ? -1 : 1)
}
