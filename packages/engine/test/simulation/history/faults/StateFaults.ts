import { always, drop, first, follow, type HistoryFault, hour, numbered, ofAttempt, twice } from "./Injection.js"

/** Faults in the states of attempts, contacts, campaigns and the run itself. */
export const stateFaults: ReadonlyArray<HistoryFault> = [
  {
    name: "an attempt ends twice",
    rule: "an attempt only moves forward",
    inject: twice("ended", ofAttempt("a1"))
  },
  {
    name: "an attempt is accepted after its end",
    rule: "an attempt only moves forward",
    inject: follow("ended", ofAttempt("a1"), () => ({ kind: "accepted", attempt: "a1", call: "call-a1" }))
  },
  {
    name: "an accepted attempt is withdrawn",
    rule: "an attempt only moves forward",
    inject: follow("accepted", ofAttempt("a1"), () => ({ kind: "withdrawn", attempt: "a1" }))
  },
  {
    name: "an attempt is stored with the call of another attempt",
    rule: "an accepted attempt has its own call at the provider",
    inject: first("accepted", ofAttempt("a1"), (accepted) => [{ ...accepted, call: "call-b1" }])
  },
  {
    name: "a finished contact waits again",
    rule: "a contact follows its state machine",
    inject: first("contact", ({ state }) => state === "finished", (contact) => [
      contact,
      { ...contact, state: "waiting" }
    ])
  },
  {
    name: "a withdrawn attempt is counted",
    rule: "the attempts of a contact are counted",
    inject: (good) => {
      const back = good.findIndex(({ kind }) => kind === "withdrawn")
      return good.map((event, index) =>
        index === back + 1 && event.kind === "contact" ? { ...event, attempts: 2 } : event
      )
    }
  },
  {
    name: "a cancelled campaign runs again",
    rule: "a campaign follows its state machine, and is edited only while it is not active",
    inject: first("campaign", ({ campaign }) => campaign.status === "paused", (paused) => [
      { ...paused, campaign: { ...paused.campaign, status: "cancelled" } }
    ])
  },
  {
    name: "a campaign is edited while it runs",
    rule: "a campaign follows its state machine, and is edited only while it is not active",
    inject: first("campaign", ({ campaign }) => campaign.rate === 1, (edited) => [
      { ...edited, campaign: { ...edited.campaign, status: "active" } }
    ])
  },
  {
    name: "a crashed process writes",
    rule: "a crashed process has no further effects",
    inject: first("started", ({ life }) => life === 2, (start) => [
      start,
      { ...start, life: 1, kind: "accepted", attempt: "d1", call: "call-d1" }
    ])
  },
  {
    name: "the end of an attempt is dropped",
    rule: "every attempt ends",
    inject: drop("ended", ofAttempt("b2"))
  },
  {
    name: "a contact of a cohort is never enrolled",
    rule: "a campaign that ended by itself has finished every contact",
    inject: first("people", always, (people) => [{ ...people, numbers: [...people.numbers, "+919876500099"] }])
  },
  {
    name: "a call never ends",
    rule: "at the end, every campaign is over and no call is in progress",
    inject: (good) => {
      const last = good.findLastIndex(({ kind }) => kind === "contact")
      return numbered(good.filter((_, index) => index !== last))
    }
  },
  {
    name: "a campaign never ends",
    rule: "at the end, every campaign is over and no call is in progress",
    inject: drop("campaign", ({ campaign }) => campaign.status === "ended")
  },
  {
    name: "a contact is finished before it was called",
    rule: "a contact is finished only for a reason",
    inject: drop("stopped")
  },
  {
    name: "a due retry is missed",
    rule: "a campaign that can dial does not stay idle",
    inject: (good) => {
      const place = good.findIndex((event) => event.kind === "claimed" && event.attempt === "a2")
      return good.map((event, index) =>
        index >= place ? { ...event, at: event.at + hour / 2, real: event.real + hour / 2 } : event
      )
    }
  },
  {
    name: "an acknowledged pause is not stored",
    rule: "acknowledged changes are durable",
    inject: drop("campaign", ({ campaign }) => campaign.status === "paused")
  },
  {
    name: "an accepted call is not stored",
    rule: "acknowledged changes are durable",
    inject: drop("recorded")
  },
  {
    name: "the run stops in the middle",
    rule: "the run completes",
    inject: drop("over")
  }
]
