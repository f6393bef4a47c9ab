import type { Happening, Of, What } from "./History.js"

/** A fault planted into a good history, and the rule that must find it. */
export interface PlantedFault {
  readonly name: string
  readonly rule: string
  /** The history with the fault; the same one, where it holds nothing to spoil. */
  readonly plant: (good: ReadonlyArray<Happening>) => ReadonlyArray<Happening>
}

type Test<K extends What["kind"]> = (happening: Of<K>, index: number) => boolean
type Kind = What["kind"]

const always = () => true

/** Changes the first that passes; the rest of the history is as it was. */
const first = <K extends Kind>(
  kind: K,
  test: Test<K>,
  change: (happening: Of<K>) => ReadonlyArray<Happening>
) =>
(good: ReadonlyArray<Happening>): ReadonlyArray<Happening> => {
  const place = good.findIndex((happening, index) => isOf(happening, kind) && test(happening, index))
  const found = good[place]
  if (found === undefined || !isOf(found, kind)) return good
  return numbered([...good.slice(0, place), ...change(found), ...good.slice(place + 1)])
}

const isOf = <K extends Kind>(happening: Happening, kind: K): happening is Of<K> => happening.kind === kind

const numbered = (happenings: ReadonlyArray<Happening>) => happenings.map((happening, seq) => ({ ...happening, seq }))

const drop = <K extends Kind>(kind: K, test: Test<K> = always) => first(kind, test, () => [])
const twice = <K extends Kind>(kind: K, test: Test<K> = always) => first(kind, test, (found) => [found, found])
const follow = <K extends Kind>(kind: K, test: Test<K>, next: (found: Of<K>) => What) =>
  first(kind, test, (found) => [found, { ...found, ...next(found) }])
const ofAttempt = (id: string) => ({ attempt }: { readonly attempt: string }) => attempt === id
const hour = 3_600_000

/** Moves an attempt's dial in business time. */
const shift = (id: string, by: number): PlantedFault["plant"] => (good) =>
  good.map((happening) =>
    happening.kind === "asked" && happening.attempt === id
      ? { ...happening, at: happening.at + by }
      : happening
  )

/** Faults in the story of `Story.ts`, by the rule that each breaks. */
export const plantedFaults: ReadonlyArray<PlantedFault> = [
  {
    name: "a carrier dials one attempt twice",
    rule: "an attempt is dialled at most once",
    plant: follow("dialled", ofAttempt("a1"), (dial) => ({ ...dial, call: "call-again" }))
  },
  {
    name: "a recovery dials a claimed attempt again",
    rule: "an attempt is dialled at most once",
    plant: first("started", ({ life }) => life === 2, (start) => [
      start,
      { ...start, kind: "dialled", attempt: "d1", call: "call-again", connection: "line-1" }
    ])
  },
  {
    name: "a dial comes before its claim is kept",
    rule: "nothing is dialled before the intent is kept, nor once it is settled",
    plant: (good) => {
      const ask = good.find((happening) => happening.kind === "asked" && happening.attempt === "a1")
      const without = drop("asked", ofAttempt("a1"))(good)
      return ask === undefined ? good : first("claimed", ofAttempt("a1"), (claim) => [{ ...ask }, claim])(without)
    }
  },
  {
    name: "an attempt that was taken back is dialled",
    rule: "nothing is dialled before the intent is kept, nor once it is settled",
    plant: first("withdrawn", always, (back) => [
      back,
      { ...back, kind: "asked", number: "+919876500003", from: "+911140000001", connection: "line-1" }
    ])
  },
  {
    name: "a lookup that came too soon has an attempt taken back that was dialled",
    rule: "an attempt that is taken back was not dialled",
    plant: first("withdrawn", always, (back) => [
      { ...back, kind: "dialled", call: "call-early", connection: "line-1" },
      back
    ])
  },
  {
    name: "another number is dialled than was claimed",
    rule: "nothing is dialled before the intent is kept, nor once it is settled",
    plant: first("asked", always, (ask) => [{ ...ask, number: "+919876500009" }])
  },
  {
    name: "a campaign dials from somebody else's number",
    rule: "a campaign dials from its own lines",
    plant: first("claimed", always, (claim) => [{ ...claim, from: "+911140000009" }])
  },
  {
    name: "a store's claim does not look, and claims somebody who is on the phone",
    rule: "nobody is called by a campaign while it calls them already",
    plant: follow("claimed", ofAttempt("a1"), (claim) => ({ ...claim, attempt: "a1b" }))
  },
  {
    name: "somebody of whom nothing is known is called again",
    rule: "who may have been dialled and nobody can tell is not called again",
    plant: first("claimed", ofAttempt("e1"), (claim) => [
      { ...claim, attempt: "d2", number: "+919876500004", retry: 1 },
      claim
    ])
  },
  {
    name: "a claim is made while the campaign is paused",
    rule: "claims are made only while the campaign runs, in its window and dates",
    plant: (good) => {
      const claim = good.find((happening) => happening.kind === "claimed" && happening.attempt === "e1")
      const without = drop("claimed", ofAttempt("e1"))(good)
      return claim === undefined
        ? good
        : first("campaign", ({ campaign }) => campaign.status === "paused", (paused) => [paused, claim])(without)
    }
  },
  {
    name: "the check of the window is left out",
    rule: "claims are made only while the campaign runs, in its window and dates",
    plant: first("claimed", ofAttempt("b2"), (claim) => [{ ...claim, at: claim.at + 9 * hour }])
  },
  {
    name: "a claim is made before the campaign's start",
    rule: "claims are made only while the campaign runs, in its window and dates",
    plant: first("claimed", ofAttempt("a1"), (claim) => [{ ...claim, at: claim.at - 60_000 }])
  },
  {
    name: "a claimed attempt is dialled after the window's end",
    rule: "a dial follows a pause, a cancel or the end of a window only if its claim came first, and never that end",
    plant: shift("b2", 2 * hour)
  },
  {
    name: "a dial follows a claim of long ago",
    rule: "a dial follows a pause, a cancel or the end of a window only if its claim came first, and never that end",
    plant: first("asked", ofAttempt("e1"), (ask) => [{ ...ask, real: ask.real + 60_000 }])
  },
  {
    name: "a restart dials again though the campaign is paused by then",
    rule: "a dial follows a pause, a cancel or the end of a window only if its claim came first, and never that end",
    plant: first("asked", ofAttempt("e1"), (ask) => [{ ...ask, life: 3 }])
  },
  {
    name: "somebody of a stop file is claimed",
    rule: "who a stop file has is not claimed any more",
    plant: first("stopped", always, (stop) => [{ ...stop, numbers: [...stop.numbers, "+919876500001"] }])
  },
  {
    name: "a blocked number is dialled",
    rule: "a blocked number is dialled only if its claim came first",
    plant: first("claimed", ofAttempt("g1"), (claim) => [claim, { ...claim, kind: "asked" }])
  },
  {
    name: "a line is lent out that is not free",
    rule: "a workspace holds no more calls than it may",
    plant: first("limits", always, (limits) => [{ ...limits, workspace: 0 }])
  },
  {
    name: "a connection carries too much",
    rule: "a connection carries no more calls than it has channels",
    plant: first("limits", always, (limits) => [{ ...limits, channels: { "line-1": 0 } }])
  },
  {
    name: "what was not dialled during a pause is made up for",
    rule: "a campaign dials no faster than its rate, and banks nothing",
    plant: (good) =>
      good.map((happening) =>
        happening.kind === "asked" && ["c3", "a2", "e2"].includes(happening.attempt)
          ? { ...happening, real: 345_000 }
          : happening
      )
  },
  {
    name: "a retry is forgotten",
    rule: "attempts follow one another as the retry policy says",
    plant: first("ended", ofAttempt("a1"), (ended) => [{ ...ended, next: null }])
  },
  {
    name: "a retry comes of the wrong row",
    rule: "attempts follow one another as the retry policy says",
    plant: first("ended", ofAttempt("c1"), (ended) => [{ ...ended, next: "retry" }])
  },
  {
    name: "a retry is due too early",
    rule: "attempts follow one another as the retry policy says",
    plant: first(
      "contact",
      ({ attempts, state }) => state === "waiting" && attempts === 1,
      (contact) => [{ ...contact, due: contact.due - 1 }]
    )
  },
  {
    name: "a retry is due in the night",
    rule: "attempts follow one another as the retry policy says",
    plant: first(
      "contact",
      ({ attempts, state }) => state === "waiting" && attempts === 1,
      (contact) => [{ ...contact, due: contact.due + 12 * hour }]
    )
  },
  {
    name: "somebody is called once more than the policy has it",
    rule: "attempts follow one another as the retry policy says",
    plant: first("ended", ofAttempt("a2"), (ended) => [{ ...ended, next: "retry" }])
  },
  {
    name: "attempts are numbered wrongly",
    rule: "attempts follow one another as the retry policy says",
    plant: first("claimed", ofAttempt("a2"), (claim) => [{ ...claim, retry: 2 }])
  },
  {
    name: "a retry comes before it is due",
    rule: "nobody is called before they are due",
    plant: first("claimed", ofAttempt("a2"), (claim) => [{ ...claim, at: claim.at - 10_000 }])
  },
  {
    name: "a call is reported that nobody answered",
    rule: "a result says what happened",
    plant: drop("answered", ofAttempt("c3"))
  },
  {
    name: "a line is reported engaged that rang",
    rule: "a result says what happened",
    plant: first("hung up", ofAttempt("a1"), (end) => [{ ...end, how: "no_answer" }])
  },
  {
    name: "unknown is an excuse for what could be known",
    rule: "a result says what happened",
    plant: first("ended", ofAttempt("e1"), (ended) => [
      { ...ended, connectivity: null, next: null, reason: "unknown: lost" }
    ])
  },
  {
    name: "a webhook is not kept with its result",
    rule: "every ended attempt has one webhook, with its own id, kept together with its result",
    plant: drop("queued", ofAttempt("a1"))
  },
  {
    name: "an attempt has two webhooks",
    rule: "every ended attempt has one webhook, with its own id, kept together with its result",
    plant: follow("queued", ofAttempt("a1"), (queued) => ({ ...queued, webhook: "att_other" }))
  },
  {
    name: "a webhook is queued a moment after its result",
    rule: "every ended attempt has one webhook, with its own id, kept together with its result",
    plant: first("queued", ofAttempt("a1"), (queued) => [{ ...queued, at: queued.at + 1 }])
  },
  {
    name: "a webhook is sent again with another id",
    rule: "a webhook has the same id and bytes on every try",
    plant: first("posted", ({ attempt, status }) => attempt === "a1" && status === null, (post) => [
      { ...post, webhook: "att_other" }
    ])
  },
  {
    name: "a webhook is built anew for every try",
    rule: "a webhook has the same id and bytes on every try",
    plant: first("posted", ({ attempt, status }) => attempt === "a1" && status === 200, (post) => [
      { ...post, hash: "other" }
    ])
  },
  {
    name: "a webhook says that a retry comes which does not",
    rule: "a webhook tells the result that was kept",
    plant: first("posted", ofAttempt("a2"), (post) => [{ ...post, next: "retry" }])
  },
  {
    name: "a webhook is given up though its receiver recovers",
    rule: "every webhook arrives",
    plant: drop("posted", ofAttempt("e1"))
  },
  {
    name: "a webhook that arrived is sent again and again",
    rule: "a webhook that arrived is sent again only after a crash",
    plant: twice("posted", ofAttempt("a2"))
  },
  {
    name: "an attempt ends twice",
    rule: "an attempt only moves forward",
    plant: twice("ended", ofAttempt("a1"))
  },
  {
    name: "an attempt is accepted after its end",
    rule: "an attempt only moves forward",
    plant: follow("ended", ofAttempt("a1"), () => ({ kind: "accepted", attempt: "a1", call: "call-a1" }))
  },
  {
    name: "an attempt is taken back that the provider has",
    rule: "an attempt only moves forward",
    plant: follow("accepted", ofAttempt("a1"), () => ({ kind: "withdrawn", attempt: "a1" }))
  },
  {
    name: "an attempt is kept with another call than its own",
    rule: "the call that an attempt is accepted as is the provider's",
    plant: first("accepted", ofAttempt("a1"), (accepted) => [{ ...accepted, call: "call-b1" }])
  },
  {
    name: "somebody who is done with waits again",
    rule: "a person waits, is called, waits again, and is done for good",
    plant: first("contact", ({ state }) => state === "finished", (contact) => [
      contact,
      { ...contact, state: "waiting" }
    ])
  },
  {
    name: "an attempt that was taken back is counted all the same",
    rule: "a person's attempts are counted",
    plant: (good) => {
      const back = good.findIndex(({ kind }) => kind === "withdrawn")
      return good.map((happening, index) =>
        index === back + 1 && happening.kind === "contact" ? { ...happening, attempts: 2 } : happening
      )
    }
  },
  {
    name: "a cancelled campaign runs again",
    rule: "a campaign goes the ways of its state table, and is edited only while it does not run",
    plant: first("campaign", ({ campaign }) => campaign.status === "paused", (paused) => [
      { ...paused, campaign: { ...paused.campaign, status: "cancelled" } }
    ])
  },
  {
    name: "a campaign is edited while it runs",
    rule: "a campaign goes the ways of its state table, and is edited only while it does not run",
    plant: first("campaign", ({ campaign }) => campaign.rate === 1, (edited) => [
      { ...edited, campaign: { ...edited.campaign, status: "active" } }
    ])
  },
  {
    name: "a process that died writes",
    rule: "a life that is over does nothing any more",
    plant: first("started", ({ life }) => life === 2, (start) => [
      start,
      { ...start, life: 1, kind: "accepted", attempt: "d1", call: "call-d1" }
    ])
  },
  {
    name: "an attempt's end is dropped",
    rule: "every attempt comes to an end",
    plant: drop("ended", ofAttempt("b2"))
  },
  {
    name: "somebody of a cohort is never read",
    rule: "everybody of a campaign that came to its end by itself is dealt with",
    plant: first("people", always, (people) => [{ ...people, numbers: [...people.numbers, "+919876500099"] }])
  },
  {
    name: "somebody stays on the phone for ever",
    rule: "nobody is stuck: at the end all campaigns are over, and nobody is on the phone",
    plant: (good) => {
      const last = good.findLastIndex(({ kind }) => kind === "contact")
      return numbered(good.filter((_, index) => index !== last))
    }
  },
  {
    name: "a campaign never ends",
    rule: "nobody is stuck: at the end all campaigns are over, and nobody is on the phone",
    plant: drop("campaign", ({ campaign }) => campaign.status === "ended")
  },
  {
    name: "somebody is done with before they were called",
    rule: "nobody is done with without a reason",
    plant: drop("stopped")
  },
  {
    name: "a retry is due, and a bell is not heard",
    rule: "a campaign that can dial does",
    plant: (good) => {
      const place = good.findIndex((happening) => happening.kind === "claimed" && happening.attempt === "a2")
      return good.map((happening, index) =>
        index >= place ? { ...happening, at: happening.at + hour / 2, real: happening.real + hour / 2 } : happening
      )
    }
  },
  {
    name: "a pause that was acknowledged is not kept",
    rule: "what the API said was done is done, and stays done",
    plant: drop("campaign", ({ campaign }) => campaign.status === "paused")
  },
  {
    name: "a call that was accepted is not kept",
    rule: "what the API said was done is done, and stays done",
    plant: drop("recorded")
  },
  {
    name: "the run stops in the middle",
    rule: "the run came to its end",
    plant: drop("over")
  }
]
