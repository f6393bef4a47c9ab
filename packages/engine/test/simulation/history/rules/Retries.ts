import { type AttemptEvidence, contactKey, type Evidence } from "../Evidence.js"
import type { CampaignSnapshot, EventOf } from "../History.js"
import { type CallOutcome, expectedAfter, type ExpectedRetry, noRetries } from "../RetryOracle.js"
import { type Breach, type Rule, unless } from "../Rule.js"
import { isClosedThroughout, isOpenAt } from "../WindowOracle.js"
import { attemptsOf } from "./Dials.js"
import { isBlockedAt, isStoppedAt } from "./Stops.js"

/** Derives the outcome of an attempt from its result and the records of the provider. */
const outcomeOf = (
  { accepted, dialled, talked: [talk], responded }: AttemptEvidence,
  ended: EventOf<"ended">
): CallOutcome => {
  switch (ended.connectivity) {
    case "connected":
      if (ended.reason !== null) return { cutAfter: ended.seconds ?? 0 }
      return { seconds: ended.seconds ?? 0, reschedule: talk?.reschedule ?? null, business: talk?.business ?? false }
    case "busy":
      return "busy"
    case "no_answer":
      return "no_answer"
    case "failed":
      return accepted.length === 0 &&
          (dialled.length === 0 || responded.some(({ response }) => response === "rejected"))
        ? "provider_error"
        : "failed"
    default:
      if (ended.reason?.startsWith("unknown") === true) return "unknown"
      return ended.reason === "blocked_number" ? "blocked" : "internal"
  }
}

/** True when an expected retry cannot happen: the campaign is over, or its window does not open again. */
const hasNoOpening = ({ end, status, window }: CampaignSnapshot, { due }: ExpectedRetry): boolean =>
  status === "ended" || status === "cancelled" || isClosedThroughout(window, due, end)

/** Describes the error of a due time; null when it is right. */
const dueFault = (
  contact: EventOf<"contact"> | undefined,
  expected: ExpectedRetry,
  { start, window }: CampaignSnapshot
): string | null => {
  if (contact?.state !== "waiting") return "the contact does not wait"
  if (contact.due < expected.due) return "it is due too early"
  if (!isOpenAt(window, contact.due)) return "it is due outside the window"
  return isClosedThroughout(window, Math.max(start, expected.due), contact.due)
    ? null
    : "it is due later than the window allows"
}

/** Checks the sequence of attempts of a contact. */
const checkSequence = (evidence: Evidence, contact: string): ReadonlyArray<Breach> => {
  let used = noRetries
  let done = false
  return attemptsOf(evidence.attempts.values(), contact).flatMap(({ attempt, claim, id, seq }, index) => {
    const breaches = [
      ...unless(claim.retry === index, seq, `${id} says it is attempt ${claim.retry}, and is ${index}`),
      ...unless(!done, seq, `${id} comes after the contact was finished`)
    ]
    const [ended] = attempt.ended
    const campaign = claim.campaign === null || ended === undefined
      ? null
      : evidence.campaignAt(claim.campaign, ended.seq)
    if (ended === undefined || campaign === null) return breaches
    const expected = expectedAfter(outcomeOf(attempt, ended), campaign.retries, used, ended.at)
    const stopped = isStoppedAt(evidence, campaign.id, claim.number, ended.seq)
    const blocked = isBlockedAt(evidence, claim.number, ended.seq)
    done = ended.next === null
    if (expected === null || stopped || campaign.status === "ended" || campaign.status === "cancelled") {
      return [...breaches, ...unless(done, ended.seq, `${id} is followed by ${ended.next}, and nothing should come`)]
    }
    if (ended.next === null) {
      const right = blocked || hasNoOpening(campaign, expected)
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
  name: "attempts follow the retry policy",
  breaches: (evidence) => [...evidence.contacts.keys()].flatMap((contact) => checkSequence(evidence, contact))
}

const dueFirst: Rule = {
  name: "no contact is called before it is due",
  breaches: (evidence) =>
    evidence.all("claimed").flatMap(({ at, attempt, campaign, number, seq }) => {
      if (campaign === null) return []
      const before = evidence.contacts.get(contactKey(campaign, number))?.findLast((one) =>
        one.seq < seq && one.state === "waiting"
      )
      return [
        ...unless(before !== undefined, seq, `${attempt} is for a contact that did not wait`),
        ...unless(before === undefined || before.due <= at, seq, `${attempt} was claimed before it was due`)
      ]
    })
}

/** Rules about retries. */
export const retryRules: ReadonlyArray<Rule> = [policy, dueFirst]
