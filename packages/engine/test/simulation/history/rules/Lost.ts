import { contactKey, type Evidence } from "../Evidence.js"
import type { CampaignSeen, Happening } from "../History.js"
import { ofAttempts, type Rule, unless } from "../Rule.js"
import { isOpenAt } from "../WindowOracle.js"
import { isBlockedAt, isStoppedAt } from "./Stops.js"

const isOver = ({ status }: CampaignSeen) => status === "ended" || status === "cancelled"

const lastSeq = ({ happenings }: Evidence) => happenings.at(-1)?.seq ?? 0

const settled = ofAttempts("every attempt comes to an end", ({ claimed, ended, id, recorded, withdrawn }, evidence) => {
  const [begun] = [...recorded, ...claimed]
  return begun === undefined || evidence.all("over").length === 0
    ? []
    : unless(ended.length + withdrawn.length > 0, begun.seq, `${id} never came to an end`)
})

/** Everybody of a campaign's cohorts, without those that stop files took out before they were read. */
const enrolled: Rule = {
  name: "everybody of a campaign that came to its end by itself is dealt with",
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
          `${number} is ${last?.state ?? "lost"}, and ${id} has ended`
        )
      })
    })
}

const unstuck: Rule = {
  name: "nobody is stuck: at the end all campaigns are over, and nobody is on the phone",
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

/** Somebody is done with because of the last attempt's result, a stop file or the do-not-call list, and nothing else. */
const reasoned: Rule = {
  name: "nobody is done with without a reason",
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
          `${number} was done with for no reason`
        )
      })
    )
}

/** How long a campaign may do nothing though it could: longer than a line is paused for when it fails. */
const IDLE_MILLIS = 12 * 60_000

const MINUTE = 60_000

/** The longest that a campaign could have dialled and did not, between two happenings. */
const idleMinutes = (campaign: CampaignSeen, from: number, to: number): number => {
  let longest = 0
  let minutes = 0
  for (let at = from; at < Math.min(to, campaign.end); at += MINUTE) {
    minutes = at >= campaign.start && isOpenAt(campaign.window, at) ? minutes + 1 : 0
    longest = Math.max(longest, minutes)
  }
  return longest
}

/** Where clocks are set forward, whoever waits for a moment oversleeps it by as much. */
const busy: Rule = {
  name: "a campaign that can dial does",
  breaches: (evidence) =>
    evidence.campaignIds.flatMap((id) => {
      const waiting = new Map<string, number>()
      const underWay = new Set<string>()
      let up = false
      let campaign: CampaignSeen | null = null
      let since: Happening | null = null
      let overslept = 0
      return evidence.happenings.flatMap((happening) => {
        const mine = isAbout(happening, id)
        const idle = since !== null && campaign !== null && (mine || !up)
          ? idleMinutes(campaign, Math.max(since.at, earliest(waiting)), since.at + happening.real - since.real)
          : 0
        const found = unless(
          idle * MINUTE <= IDLE_MILLIS + overslept,
          happening.seq,
          `${id} did nothing for ${idle} minutes`
        )
        if (happening.kind === "started") up = true
        if (happening.kind === "crashed") up = false
        if (happening.kind === "campaign" && happening.campaign.id === id) campaign = happening.campaign
        if (happening.kind === "claimed" || happening.kind === "recorded") underWay.add(happening.attempt)
        if (happening.kind === "ended" || happening.kind === "withdrawn") underWay.delete(happening.attempt)
        if (happening.kind === "contact" && happening.campaign === id) {
          if (happening.state === "waiting") waiting.set(happening.number, happening.due)
          else waiting.delete(happening.number)
        }
        const able = up && campaign?.status === "active" && waiting.size > 0 && underWay.size === 0
        since = !able ? null : mine || since === null ? happening : since
        if (happening.kind === "clock") overslept += Math.max(0, happening.by)
        return found
      })
    })
}

/** Whether this changes what a campaign may do. */
const isAbout = (happening: Happening, id: string): boolean =>
  (happening.kind === "campaign" && happening.campaign.id === id) ||
  (happening.kind === "contact" && happening.campaign === id) ||
  ["claimed", "recorded", "crashed", "started", "over", "clock"].includes(happening.kind)

const earliest = (waiting: ReadonlyMap<string, number>) => Math.min(...waiting.values())

const promised: Rule = {
  name: "what the API said was done is done, and stays done",
  breaches: (evidence) => [
    ...evidence.all("acknowledged").flatMap(({ action, campaign, seq }) => {
      const wanted = JSON.stringify(campaign)
      const kept = evidence.versions(campaign.id).some((version) =>
        version.seq < seq && JSON.stringify(version.campaign) === wanted
      )
      return unless(kept, seq, `${action} of ${campaign.id} was acknowledged, and is not kept`)
    }),
    ...evidence.all("promised").flatMap(({ attempt, seq }) => {
      const recorded = evidence.attempts.get(attempt)?.recorded ?? []
      return unless(recorded.some((one) => one.seq < seq), seq, `the call ${attempt} was accepted, and is not kept`)
    })
  ]
}

const complete: Rule = {
  name: "the run came to its end",
  breaches: (evidence) => unless(evidence.all("over").length === 1, lastSeq(evidence), "it did not")
}

/** What must hold so that nobody and nothing is lost. */
export const lostRules: ReadonlyArray<Rule> = [settled, enrolled, unstuck, reasoned, busy, promised, complete]
