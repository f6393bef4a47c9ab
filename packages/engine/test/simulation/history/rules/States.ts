import type { AttemptEvidence } from "../Evidence.js"
import type { CampaignSeen } from "../History.js"
import { ofAttempts, type Rule, unless } from "../Rule.js"

const steps: Readonly<Record<string, ReadonlyArray<string>>> = {
  none: ["recorded", "claimed", "ended"],
  recorded: ["claimed", "ended"],
  claimed: ["accepted", "ended", "withdrawn"],
  accepted: ["ended"],
  ended: [],
  withdrawn: []
}

const storyOf = ({ accepted, claimed, ended, recorded, withdrawn }: AttemptEvidence) =>
  [...recorded, ...claimed, ...accepted, ...ended, ...withdrawn].sort((a, b) => a.seq - b.seq)

const attemptSteps = ofAttempts(
  "an attempt only moves forward",
  (attempt) =>
    storyOf(attempt).flatMap(({ kind, seq }, index, story) => {
      const before = story[index - 1]?.kind ?? "none"
      return unless(steps[before]?.includes(kind) === true, seq, `${attempt.id} went from ${before} to ${kind}`)
    })
)

const realCall = ofAttempts(
  "the call that an attempt is accepted as is the provider's",
  ({ accepted, dialled, id }) =>
    accepted.flatMap(({ call, seq }) =>
      unless(dialled.some((dial) => dial.call === call && dial.seq < seq), seq, `${id} was accepted as ${call}`)
    )
)

const moves: Readonly<Record<string, ReadonlyArray<string>>> = {
  none: ["waiting", "finished"],
  waiting: ["waiting", "calling", "finished"],
  calling: ["waiting", "finished"],
  finished: []
}

const contactSteps: Rule = {
  name: "a person waits, is called, waits again, and is done for good",
  breaches: ({ contacts }) =>
    [...contacts].flatMap(([key, story]) =>
      story.flatMap(({ seq, state }, index) => {
        const before = story[index - 1]?.state ?? "none"
        return unless(moves[before]?.includes(state) === true, seq, `${key} went from ${before} to ${state}`)
      })
    )
}

/** Attempts made are the attempts claimed and not taken back. */
const counted: Rule = {
  name: "a person's attempts are counted",
  breaches: ({ attempts, contacts }) =>
    [...contacts].flatMap(([key, story]) =>
      story.filter(({ state }) => state !== "calling").flatMap(({ attempts: count, seq }) => {
        const made = [...attempts.values()].filter(({ claimed: [claim], withdrawn }) =>
          claim !== undefined && `${claim.campaign} ${claim.number}` === key && claim.seq < seq &&
          !withdrawn.some((back) =>
            back.seq < seq
          )
        ).length
        return unless(made === count, seq, `${key} has ${made} attempts, and ${count} are counted`)
      })
    )
}

const turns: Readonly<Record<string, ReadonlyArray<CampaignSeen["status"]>>> = {
  none: ["scheduled"],
  scheduled: ["scheduled", "active", "paused", "cancelled", "ended"],
  active: ["paused", "cancelled", "ended"],
  paused: ["paused", "active", "scheduled", "cancelled", "ended"],
  ended: [],
  cancelled: []
}

const campaignSteps: Rule = {
  name: "a campaign goes the ways of its state table, and is edited only while it does not run",
  breaches: (evidence) =>
    evidence.campaignIds.flatMap((id) =>
      evidence.versions(id).flatMap(({ campaign, seq }, index, versions) => {
        const before = versions[index - 1]?.campaign ?? null
        const edited = before !== null && JSON.stringify({ ...before, status: "" }) !==
            JSON.stringify({ ...campaign, status: "" })
        return [
          ...unless(
            turns[before?.status ?? "none"]?.includes(campaign.status) === true,
            seq,
            `${id} went from ${before?.status} to ${campaign.status}`
          ),
          ...unless(!edited || before.status !== "active", seq, `${id} was edited while it ran`)
        ]
      })
    )
}

/** Whether this was done by the engine, and not to it. */
const isDeed = (kind: string) =>
  !["limits", "started", "crashed", "clock", "over", "dialled", "told", "answered", "hung up"].includes(kind)

const dead: Rule = {
  name: "a life that is over does nothing any more",
  breaches: ({ happenings }) => {
    const ended = new Set<number>()
    return happenings.flatMap(({ kind, life, seq }) => {
      if (kind === "crashed") ended.add(life)
      return isDeed(kind) && ended.has(life) ? [{ seq, what: `life ${life} was over, and did this: ${kind}` }] : []
    })
  }
}

/** What must hold of how states follow one another. */
export const stateRules: ReadonlyArray<Rule> = [attemptSteps, realCall, contactSteps, counted, campaignSteps, dead]
