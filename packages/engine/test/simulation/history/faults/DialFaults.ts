import { always, drop, first, follow, type HistoryFault, hour, ofAttempt, shift } from "./Injection.js"

/** Faults in claims, dials and the pace of dialling. */
export const dialFaults: ReadonlyArray<HistoryFault> = [
  {
    name: "a carrier dials one attempt twice",
    rule: "an attempt is dialled at most once",
    inject: follow("dialled", ofAttempt("a1"), (dial) => ({ ...dial, call: "call-again" }))
  },
  {
    name: "a recovery dials a claimed attempt again",
    rule: "an attempt is dialled at most once",
    inject: first("started", ({ life }) => life === 2, (start) => [
      start,
      { ...start, kind: "dialled", attempt: "d1", call: "call-again", connection: "line-1" }
    ])
  },
  {
    name: "a dial precedes its stored claim",
    rule: "an attempt is dialled only between its stored claim and its end",
    inject: (good) => {
      const request = good.find((event) => event.kind === "requested" && event.attempt === "a1")
      const without = drop("requested", ofAttempt("a1"))(good)
      return request === undefined
        ? good
        : first("claimed", ofAttempt("a1"), (claim) => [{ ...request }, claim])(without)
    }
  },
  {
    name: "a withdrawn attempt is dialled",
    rule: "an attempt is dialled only between its stored claim and its end",
    inject: first("withdrawn", always, (back) => [
      back,
      { ...back, kind: "requested", number: "+919876500003", from: "+911140000001", connection: "line-1" }
    ])
  },
  {
    name: "a premature lookup withdraws a dialled attempt",
    rule: "a withdrawn attempt was never dialled",
    inject: first("withdrawn", always, (back) => [
      { ...back, kind: "dialled", call: "call-early", connection: "line-1" },
      back
    ])
  },
  {
    name: "a number other than the claimed one is dialled",
    rule: "an attempt is dialled only between its stored claim and its end",
    inject: first("requested", always, (request) => [{ ...request, number: "+919876500009" }])
  },
  {
    name: "a campaign dials from a number that is not its own",
    rule: "a campaign dials from its own lines",
    inject: first("claimed", always, (claim) => [{ ...claim, from: "+911140000009" }])
  },
  {
    name: "a contact is claimed during a call",
    rule: "a campaign calls each contact at most once at a time",
    inject: follow("claimed", ofAttempt("a1"), (claim) => ({ ...claim, attempt: "a1b" }))
  },
  {
    name: "a contact with an unknown outcome is called again",
    rule: "a contact with an unknown outcome is not called again",
    inject: first("claimed", ofAttempt("e1"), (claim) => [
      { ...claim, attempt: "d2", number: "+919876500004", retry: 1 },
      claim
    ])
  },
  {
    name: "a claim is made while the campaign is paused",
    rule: "claims happen only while the campaign is active, within its window and dates",
    inject: (good) => {
      const claim = good.find((event) => event.kind === "claimed" && event.attempt === "e1")
      const without = drop("claimed", ofAttempt("e1"))(good)
      return claim === undefined
        ? good
        : first("campaign", ({ campaign }) => campaign.status === "paused", (paused) => [paused, claim])(without)
    }
  },
  {
    name: "a claim is made outside the window",
    rule: "claims happen only while the campaign is active, within its window and dates",
    inject: first("claimed", ofAttempt("b2"), (claim) => [{ ...claim, at: claim.at + 9 * hour }])
  },
  {
    name: "a claim is made before the start of the campaign",
    rule: "claims happen only while the campaign is active, within its window and dates",
    inject: first("claimed", ofAttempt("a1"), (claim) => [{ ...claim, at: claim.at - 60_000 }])
  },
  {
    name: "a claimed attempt is dialled after the end of the window",
    rule: "a dial after a pause or cancellation was claimed before it, and no dial is outside the window",
    inject: shift("b2", 2 * hour)
  },
  {
    name: "a dial follows an old claim",
    rule: "a dial after a pause or cancellation was claimed before it, and no dial is outside the window",
    inject: first("requested", ofAttempt("e1"), (request) => [{ ...request, real: request.real + 60_000 }])
  },
  {
    name: "a restart redials for a paused campaign",
    rule: "a dial after a pause or cancellation was claimed before it, and no dial is outside the window",
    inject: first("requested", ofAttempt("e1"), (request) => [{ ...request, life: 3 }])
  },
  {
    name: "a number on a stop file is claimed",
    rule: "a number on a stop file is not claimed",
    inject: first("stopped", always, (stop) => [{ ...stop, numbers: [...stop.numbers, "+919876500001"] }])
  },
  {
    name: "a blocked number is dialled",
    rule: "a blocked number is dialled only when it was claimed before",
    inject: first("claimed", ofAttempt("g1"), (claim) => [claim, { ...claim, kind: "requested" }])
  },
  {
    name: "a call exceeds the limit of the workspace",
    rule: "a workspace stays within its limit of concurrent calls",
    inject: first("limits", always, (limits) => [{ ...limits, workspace: 0 }])
  },
  {
    name: "a connection exceeds its channels",
    rule: "a connection stays within its channels",
    inject: first("limits", always, (limits) => [{ ...limits, channels: { "line-1": 0 } }])
  },
  {
    name: "a campaign catches up after a pause",
    rule: "a campaign dials no faster than its rate, and does not catch up after idle time",
    inject: (good) =>
      good.map((event) =>
        event.kind === "requested" && ["c3", "a2", "e2"].includes(event.attempt)
          ? { ...event, real: 345_000 }
          : event
      )
  }
]
