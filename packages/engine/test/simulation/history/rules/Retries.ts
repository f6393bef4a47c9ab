import { type AttemptEvidence, contactKey, type Evidence } from "../Evidence.js"
import type { CampaignSeen, Of } from "../History.js"
import { type Expected, expectedAfter, type Fate, unused } from "../RetryOracle.js"
import { type Breach, type Rule, unless } from "../Rule.js"
import { isOpenAt, isShutThroughout } from "../WindowOracle.js"
import { attemptsOf } from "./Dials.js"
import { isBlockedAt, isStoppedAt } from "./Stops.js"

/** What the result and the provider's own journal say happened. */
const fateOf = ({ accepted, dialled, talked: [talk], told }: AttemptEvidence, ended: Of<"ended">): Fate => {
  switch (ended.connectivity) {
    case "connected":
      return { seconds: ended.seconds ?? 0, reschedule: talk?.reschedule ?? null, business: talk?.business ?? false }
    case "busy":
      return "busy"
    case "no_answer":
      return "no_answer"
    case "failed":
      return accepted.length === 0 && (dialled.length === 0 || told.some(({ answer }) => answer === "refused"))
        ? "provider_error"
        : "failed"
    default:
      if (ended.reason?.startsWith("unknown") === true) return "unknown"
      return ended.reason === "blocked_number" ? "blocked" : "internal"
  }
}

/** Whether nothing could come of what was expected: the campaign is over, or has no opening left. */
const comesToNothing = ({ end, status, window }: CampaignSeen, { due }: Expected): boolean =>
  status === "ended" || status === "cancelled" || isShutThroughout(window, due, end)

/** What is wrong with the due time that was given, if anything. */
const dueFault = (
  contact: Of<"contact"> | undefined,
  expected: Expected,
  { start, window }: CampaignSeen
): string | null => {
  if (contact?.state !== "waiting") return "the person does not wait"
  if (contact.due < expected.due) return "it is due too early"
  if (!isOpenAt(window, contact.due)) return "it is due outside the window"
  return isShutThroughout(window, Math.max(start, expected.due), contact.due)
    ? null
    : "it is due later than the window allows"
}

/** One person's attempts, one after the other, against the table. */
const chain = (evidence: Evidence, contact: string): ReadonlyArray<Breach> => {
  let used = unused
  let done = false
  return attemptsOf(evidence.attempts.values(), contact).flatMap(({ attempt, claim, id, seq }, index) => {
    const breaches = [
      ...unless(claim.retry === index, seq, `${id} says it is attempt ${claim.retry}, and is ${index}`),
      ...unless(!done, seq, `${id} comes after the end for this person`)
    ]
    const [ended] = attempt.ended
    const campaign = claim.campaign === null || ended === undefined
      ? null
      : evidence.campaignAt(claim.campaign, ended.seq)
    if (ended === undefined || campaign === null) return breaches
    const expected = expectedAfter(fateOf(attempt, ended), campaign.retries, used, ended.at)
    const stopped = isStoppedAt(evidence, campaign.id, claim.number, ended.seq)
    const blocked = isBlockedAt(evidence, claim.number, ended.seq)
    done = ended.next === null
    if (expected === null || stopped || campaign.status === "ended" || campaign.status === "cancelled") {
      return [...breaches, ...unless(done, ended.seq, `${id} is followed by ${ended.next}, and nothing should come`)]
    }
    if (ended.next === null) {
      const right = blocked || comesToNothing(campaign, expected)
      return [...breaches, ...unless(right, ended.seq, `${id} is followed by nothing, not by ${expected.status}`)]
    }
    used = expected.used
    const after = evidence.contacts.get(contact)?.find((one) => one.seq > ended.seq)
    const fault = dueFault(after, expected, campaign)
    return [
      ...breaches,
      ...unless(
        ended.next === expected.status,
        ended.seq,
        `${id} is followed by ${ended.next}, not ${expected.status}`
      ),
      ...unless(fault === null, ended.seq, `after ${id} ${fault}`)
    ]
  })
}

const policy: Rule = {
  name: "attempts follow one another as the retry policy says",
  breaches: (evidence) => [...evidence.contacts.keys()].flatMap((contact) => chain(evidence, contact))
}

const dueFirst: Rule = {
  name: "nobody is called before they are due",
  breaches: (evidence) =>
    evidence.all("claimed").flatMap(({ at, attempt, campaign, number, seq }) => {
      if (campaign === null) return []
      const before = evidence.contacts.get(contactKey(campaign, number))?.findLast((one) =>
        one.seq < seq && one.state === "waiting"
      )
      return [
        ...unless(before !== undefined, seq, `${attempt} is for somebody who did not wait`),
        ...unless(before === undefined || before.due <= at, seq, `${attempt} was claimed before it was due`)
      ]
    })
}

/** What must hold of attempts that follow one another. */
export const retryRules: ReadonlyArray<Rule> = [policy, dueFirst]
