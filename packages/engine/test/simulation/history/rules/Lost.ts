import { contactKey, type Evidence } from "../Evidence.js"
import type { CampaignSnapshot, HistoryEvent } from "../History.js"
import { attemptRule, type Rule, unless } from "../Rule.js"
import { isOpenAt } from "../WindowOracle.js"
import { isBlockedAt, isStoppedAt } from "./Stops.js"

const isOver = ({ status }: CampaignSnapshot) => status === "ended" || status === "cancelled"

const lastSeq = ({ events }: Evidence) => events.at(-1)?.seq ?? 0

const settled = attemptRule("every attempt ends", ({ claimed, ended, id, recorded, withdrawn }, evidence) => {
  const [begun] = [...recorded, ...claimed]
  return begun === undefined || evidence.all("over").length === 0
    ? []
    : unless(ended.length + withdrawn.length > 0, begun.seq, `${id} never ended`)
})

/** Contacts of the cohorts, without those that stop files removed before they were enrolled. */
const enrolled: Rule = {
  name: "a campaign that ended by itself has finished every contact",
  breaches: (evidence) =>
    evidence.campaignIds.flatMap((id) => {
      const final = evidence.versions(id).at(-1)
      if (final === undefined || final.campaign.status !== "ended" || final.at >= final.campaign.end) return []
      const numbers = evidence.all("people")
        .filter(({ campaign, seq }) => campaign === id && seq < final.seq)
        .flatMap((people) => people.numbers)
      return numbers.flatMap((number) => {
        const last = evidence.contacts.get(contactKey(id, number))?.findLast(({ seq }) => seq < final.seq)
        return unless(
          last?.state === "finished",
          final.seq,
          `${number} is ${last?.state ?? "missing"}, and ${id} has ended`
        )
      })
    })
}

const unstuck: Rule = {
  name: "at the end, every campaign is over and no call is in progress",
  breaches: (evidence) =>
    evidence.all("over").flatMap(({ seq }) => [
      ...evidence.campaignIds.flatMap((id) => {
        const last = evidence.campaignAt(id, seq)
        return unless(last === null || isOver(last), seq, `${id} is still ${last?.status}`)
      }),
      ...[...evidence.contacts].flatMap(([key, story]) =>
        unless(story.at(-1)?.state !== "calling", seq, `${key} is still calling`)
      )
    ])
}

/** A contact is finished by its last result, a stop file or the do-not-call list only. */
const reasoned: Rule = {
  name: "a contact is finished only for a reason",
  breaches: (evidence) =>
    [...evidence.contacts.values()].flatMap((story) =>
      story.filter(({ state }) => state === "finished").flatMap(({ campaign, number, seq }) => {
        const last = evidence.all("ended").findLast((ended) => {
          const claim = evidence.attempts.get(ended.attempt)?.claimed[0]
          return ended.seq < seq && claim?.campaign === campaign && claim.number === number
        })
        return unless(
          last?.next === null || isStoppedAt(evidence, campaign, number, seq) || isBlockedAt(evidence, number, seq),
          seq,
          `${number} was finished without a reason`
        )
      })
    )
}

/** Time that a campaign may be idle although it could dial: longer than the pause of a failing line. */
const idleMillis = 12 * 60_000

const minuteMillis = 60_000

/** Longest idle time, in minutes, during which a campaign could have dialled between two events. */
const idleMinutes = (campaign: CampaignSnapshot, from: number, to: number): number => {
  let longest = 0
  let minutes = 0
  for (let at = from; at < Math.min(to, campaign.end); at += minuteMillis) {
    minutes = at >= campaign.start && isOpenAt(campaign.window, at) ? minutes + 1 : 0
    longest = Math.max(longest, minutes)
  }
  return longest
}

/** A clock that is set forward delays timers by as much, which is tolerated. */
const busy: Rule = {
  name: "a campaign that can dial does not stay idle",
  breaches: (evidence) =>
    evidence.campaignIds.flatMap((id) => {
      const waiting = new Map<string, number>()
      const underWay = new Set<string>()
      let up = false
      let campaign: CampaignSnapshot | null = null
      let since: HistoryEvent | null = null
      let overslept = 0
      return evidence.events.flatMap((event) => {
        const mine = isAbout(event, id)
        const idle = since !== null && campaign !== null && (mine || !up)
          ? idleMinutes(campaign, Math.max(since.at, earliest(waiting)), since.at + event.real - since.real)
          : 0
        const found = unless(
          idle * minuteMillis <= idleMillis + overslept,
          event.seq,
          `${id} did nothing for ${idle} minutes`
        )
        if (event.kind === "started") up = true
        if (event.kind === "crashed") up = false
        if (event.kind === "campaign" && event.campaign.id === id) campaign = event.campaign
        if (event.kind === "claimed" || event.kind === "recorded") underWay.add(event.attempt)
        if (event.kind === "ended" || event.kind === "withdrawn") underWay.delete(event.attempt)
        if (event.kind === "contact" && event.campaign === id) {
          if (event.state === "waiting") waiting.set(event.number, event.due)
          else waiting.delete(event.number)
        }
        const able = up && campaign?.status === "active" && waiting.size > 0 && underWay.size === 0
        since = !able ? null : mine || since === null ? event : since
        if (event.kind === "clock") overslept += Math.max(0, event.by)
        return found
      })
    })
}

/** True when an event can change what a campaign may do. */
const isAbout = (event: HistoryEvent, id: string): boolean =>
  (event.kind === "campaign" && event.campaign.id === id) ||
  (event.kind === "contact" && event.campaign === id) ||
  ["claimed", "recorded", "crashed", "started", "over", "clock"].includes(event.kind)

const earliest = (waiting: ReadonlyMap<string, number>) => Math.min(...waiting.values())

const promised: Rule = {
  name: "acknowledged changes are durable",
  breaches: (evidence) => [
    ...evidence.all("acknowledged").flatMap(({ action, campaign, seq }) => {
      const wanted = JSON.stringify(campaign)
      const kept = evidence.versions(campaign.id).some((version) =>
        version.seq < seq && JSON.stringify(version.campaign) === wanted
      )
      return unless(kept, seq, `${action} of ${campaign.id} was acknowledged, and is not stored`)
    }),
    ...evidence.all("promised").flatMap(({ attempt, seq }) => {
      const recorded = evidence.attempts.get(attempt)?.recorded ?? []
      return unless(recorded.some((one) => one.seq < seq), seq, `the call ${attempt} was accepted, and is not stored`)
    })
  ]
}

const complete: Rule = {
  name: "the run completes",
  breaches: (evidence) => unless(evidence.all("over").length === 1, lastSeq(evidence), "it did not")
}

/** Rules about completeness: nothing is lost. */
export const lostRules: ReadonlyArray<Rule> = [settled, enrolled, unstuck, reasoned, busy, promised, complete]
