import type { DoubleProvider, Journal } from "@trunkline/carrier-http/testing"
import type { AttemptItem } from "../Requests.js"
import { isRefused } from "./Callees.js"
import type { Mode } from "./Modes.js"
import type { TortureReceiver } from "./Receiver.js"

/** Records of a campaign, and the contacts that it had to call. */
export interface CampaignTrace {
  readonly people: number
  readonly status: string
  readonly attempts: ReadonlyArray<AttemptItem>
}

/** Everything that is known from outside once the campaigns are over. */
export interface Evidence {
  readonly mode: Mode
  readonly campaigns: ReadonlyArray<CampaignTrace>
  readonly double: Pick<DoubleProvider, "busiest"> & {
    readonly journal: Pick<Journal, "dialsByAttempt" | "entries">
  }
  readonly receiver: Pick<TortureReceiver, "received" | "forged">
  /** Result of SQLite's integrity check: `ok`. */
  readonly integrity: string
  readonly maxChannels: number
}

/** Counts of the run, and its faults in sentences. */
export interface Verdict {
  readonly attempts: number
  /** People who were forgotten, and attempts that were dialled but that nobody knows of. */
  readonly lost: number
  /** Attempts for which a phone rang more than once. */
  readonly twice: number
  readonly unknown: number
  /** Webhooks that arrived, and those among them that arrived more than once. */
  readonly webhooks: number
  readonly duplicates: number
  readonly problems: ReadonlyArray<string>
}

const isUnknown = ({ connectivity_status, failure_reason }: AttemptItem) =>
  connectivity_status === null && failure_reason?.startsWith("internal:") !== true

/** The id of the webhook of an attempt. */
export const webhookOf = ({ attempt_id }: AttemptItem) => `att_${attempt_id}`

/** Somebody's phone rang, by the outcome. */
const hasRung = ({ connectivity_status }: AttemptItem) =>
  connectivity_status !== null && connectivity_status !== "failed"

/** Where there are keys, only a request that would be refused every time leaves a doubt. */
const isExcused = (mode: Mode, attempt: AttemptItem) =>
  mode === "none" || (mode !== "lookup" && isRefused(attempt.user_identifier))

/** A call that nobody knows of takes no line: where they are never found, there may be more than the line carries. */
const keepsCount = (mode: Mode) => mode === "key" || mode === "lookup"

const byPerson = (attempts: ReadonlyArray<AttemptItem>) => {
  const people = new Map<string, Array<AttemptItem>>()
  for (const attempt of attempts) {
    people.set(attempt.user_identifier, [...people.get(attempt.user_identifier) ?? [], attempt])
  }
  return people
}

/** One problem for all of a kind, with the first few. */
const some = (what: string, cases: ReadonlyArray<string>): ReadonlyArray<string> =>
  cases.length === 0 ? [] : [`${cases.length} ${what}: ${cases.slice(0, 5).join(", ")}`]

/** Faults in the attempts of one campaign: each contact's are numbered from 0, and only the last is final. */
const campaignProblems = ({ attempts, people, status }: CampaignTrace) => {
  const persons = byPerson(attempts)
  const odd = Array.from(persons).filter(([, theirs]) => {
    const inOrder = theirs.toSorted((a, b) => a.retry_attempt - b.retry_attempt)
    return inOrder.some((attempt, index) =>
      attempt.retry_attempt !== index || (attempt.next_action_status === null) !== (index === inOrder.length - 1)
    )
  })
  return {
    forgotten: people - persons.size + odd.length,
    problems: [
      ...status === "ended" ? [] : [`a campaign is ${status}`],
      ...persons.size === people ? [] : [`${people - persons.size} people have no attempt`],
      ...some("people whose attempts do not follow one another", odd.map(([person]) => person))
    ]
  }
}

/** Compares the records of provider, receiver and server with the guarantees in docs/campaigns.md. */
export const judge = ({ campaigns, double, integrity, maxChannels, mode, receiver }: Evidence): Verdict => {
  const attempts = campaigns.flatMap((campaign) => campaign.attempts)
  const ids = new Set(attempts.map(({ attempt_id }) => attempt_id))
  const webhookIds = new Set(attempts.map(webhookOf))
  const { dialsByAttempt, entries } = double.journal
  const dialsOf = ({ attempt_id }: AttemptItem) => dialsByAttempt.get(attempt_id) ?? 0

  const twice = Array.from(dialsByAttempt).filter(([, dials]) => dials > 1).map(([id]) => id)
  const orphans = Array.from(dialsByAttempt.keys()).filter((id) => !ids.has(id))
  const unheard = attempts.filter((attempt) => hasRung(attempt) && dialsOf(attempt) === 0)
  const unknown = attempts.filter(isUnknown)
  const mismatches = entries.filter(({ what }) => what === "mismatch")
  const missing = attempts.filter((attempt) => !receiver.received.has(webhookOf(attempt)))
  const strangers = Array.from(receiver.received.keys()).filter((id) => !webhookIds.has(id))
  const changed = Array.from(receiver.received).filter(([, { bodies }]) => bodies.size > 1).map(([id]) => id)
  const judged = campaigns.map(campaignProblems)
  const idsOf = (items: ReadonlyArray<AttemptItem>) => items.map(({ attempt_id }) => attempt_id)

  return {
    attempts: attempts.length,
    lost: judged.reduce((sum, { forgotten }) => sum + forgotten, 0) + orphans.length,
    twice: twice.length,
    unknown: unknown.length,
    webhooks: receiver.received.size,
    duplicates: Array.from(receiver.received.values()).filter(({ times }) => times > 1).length,
    problems: [
      ...judged.flatMap(({ problems }) => problems),
      ...some("attempts dialled more than once", twice),
      ...some("attempts dialled that nobody knows of", orphans),
      ...some("attempts that rang and were never dialled", idsOf(unheard)),
      ...some("attempts with an unknown outcome", idsOf(unknown.filter((attempt) => !isExcused(mode, attempt)))),
      ...some("keys asked for again with other bytes", mismatches.flatMap(({ attempt_id }) => attempt_id ?? [])),
      ...some("attempts without a webhook", idsOf(missing)),
      ...some("webhooks of no attempt", strangers),
      ...some("webhooks whose bytes changed", changed),
      ...receiver.forged() === 0 ? [] : [`${receiver.forged()} webhooks were signed wrongly`],
      ...integrity === "ok" ? [] : [`the database is damaged: ${integrity}`],
      ...double.busiest() <= maxChannels || !keepsCount(mode)
        ? []
        : [`${double.busiest()} calls at once on a line of ${maxChannels}`]
    ]
  }
}
