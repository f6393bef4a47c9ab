import type { AttemptEvidence } from "../Evidence.js"
import type { CampaignSnapshot } from "../History.js"
import { attemptRule, type Rule, unless } from "../Rule.js"

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

const attemptSteps = attemptRule(
  "an attempt only moves forward",
  (attempt) =>
    storyOf(attempt).flatMap(({ kind, seq }, index, story) => {
      const before = story[index - 1]?.kind ?? "none"
      return unless(steps[before]?.includes(kind) === true, seq, `${attempt.id} went from ${before} to ${kind}`)
    })
)

const realCall = attemptRule(
  "an accepted attempt has its own call at the provider",
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
  name: "a contact follows its state machine",
  breaches: ({ contacts }) =>
    [...contacts].flatMap(([key, story]) =>
      story.flatMap(({ seq, state }, index) => {
        const before = story[index - 1]?.state ?? "none"
        return unless(moves[before]?.includes(state) === true, seq, `${key} went from ${before} to ${state}`)
      })
    )
}

/** Compares with the number of claimed attempts that were not withdrawn. */
const counted: Rule = {
  name: "the attempts of a contact are counted",
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

const turns: Readonly<Record<string, ReadonlyArray<CampaignSnapshot["status"]>>> = {
  none: ["scheduled"],
  scheduled: ["scheduled", "active", "paused", "cancelled", "ended"],
  active: ["paused", "cancelled", "ended"],
  paused: ["paused", "active", "scheduled", "cancelled", "ended"],
  ended: [],
  cancelled: []
}

const campaignSteps: Rule = {
  name: "a campaign follows its state machine, and is edited only while it is not active",
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

/** True for events that the engine causes. */
const isEngineEvent = (kind: string) =>
  !["limits", "started", "crashed", "clock", "over", "dialled", "responded", "answered", "hung up"].includes(kind)

const noEffectsAfterCrash: Rule = {
  name: "a crashed process has no further effects",
  breaches: ({ events }) => {
    const ended = new Set<number>()
    return events.flatMap(({ kind, life, seq }) => {
      if (kind === "crashed") ended.add(life)
      return isEngineEvent(kind) && ended.has(life)
        ? [{ seq, message: `life ${life} had crashed, and caused: ${kind}` }]
        : []
    })
  }
}

/** Rules about state transitions. */
export const stateRules: ReadonlyArray<Rule> = [
  attemptSteps,
  realCall,
  contactSteps,
  counted,
  campaignSteps,
  noEffectsAfterCrash
]
