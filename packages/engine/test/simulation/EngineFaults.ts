import { CampaignStore, DialQueue, noRetries } from "@trunkline/campaigns"
import { CohortStore } from "@trunkline/cohorts"
import { AttemptStore, BlockedNumbersStore, CallSlots } from "@trunkline/telephony"
import { Outbox } from "@trunkline/webhooks"
import { Context, Effect, Layer } from "effect"
import {
  changeCampaign,
  redialling,
  replaceCarrier,
  replaceParts,
  replaceSender,
  replaceStore,
  skippedClaimChecks
} from "./Replacements.js"
import type { Conditions } from "./world/Conditions.js"
import type { PlannedAction, Scenario } from "./world/Scenario.js"
import type { FaultInjection } from "./world/Simulation.js"

/** A fault in the environment of the engine, and the rule by which the checker must detect it. */
export interface EngineFault {
  readonly name: string
  readonly rule: string
  readonly injection: FaultInjection
  /** Changes to the scenario that are necessary to expose the fault. */
  readonly when?: (scenario: Scenario) => Partial<Scenario>
}

const offering = (dedupe: Conditions["dedupe"]) => ({ conditions }: Scenario) => ({
  conditions: { ...conditions, dedupe }
})

/** Operators repeat an action while the campaigns run. */
const repeating = (action: PlannedAction["action"]) => (): Partial<Scenario> => ({
  actions: Array.from({ length: 20 }, (_, index) => ({ at: (index + 1) * 60_000, action }))
})

/** The engine crashes during its transactions. */
const crashingAtWrites = (): Partial<Scenario> => ({
  crashes: [9, 16, 18, 21, 24, 27, 33].map((nth) => ({ _tag: "Point", name: "write", nth })),
  downtimes: [1_000]
})

/** Faults in the environment of the engine. */
export const engineFaults: ReadonlyArray<EngineFault> = [
  {
    name: "a carrier that dials twice",
    rule: "an attempt is dialled at most once",
    when: offering("none"),
    injection: replaceCarrier(({ place }) => ({ place: (plan) => Effect.zipRight(place(plan), place(plan)) }))
  },
  {
    name: "a recovery that redials claimed attempts",
    rule: "an attempt is dialled at most once",
    when: offering("none"),
    injection: redialling
  },
  {
    name: "a carrier whose lookup finds nothing",
    rule: "a withdrawn attempt was never dialled",
    when: offering("lookup"),
    injection: replaceCarrier(() => ({ lookup: () => Effect.succeed({ _tag: "NotFound" }) }))
  },
  {
    name: "a store whose claims and queue ignore calls in progress",
    rule: "a campaign calls each contact at most once at a time",
    injection: skippedClaimChecks
  },
  {
    name: "an ignored window",
    rule: "claims happen only while the campaign is active, within its window and dates",
    injection: changeCampaign(({ allowed_schedule }) => ({
      allowed_schedule: { ...allowed_schedule, allowed_start_time: "00:00", allowed_end_time: "24:00" }
    }))
  },
  {
    name: "an ignored dial rate",
    rule: "a campaign dials no faster than its rate, and does not catch up after idle time",
    injection: changeCampaign(({ app_config }) => ({
      app_config: { ...app_config, attempts_per_second: app_config.attempts_per_second * 10 }
    }))
  },
  {
    name: "call slots without a limit",
    rule: "a workspace stays within its limit of concurrent calls",
    injection: replaceParts(() => ({ slots: CallSlots.layer({ maxConcurrentCalls: 50 }) }))
  },
  {
    name: "call slots that are never released",
    rule: "a campaign that can dial does not stay idle",
    injection: replaceParts(({ slots }) => ({
      slots: Layer.map(slots, (context) => {
        const good = Context.get(context, CallSlots)
        return Context.make(CallSlots, {
          ...good,
          tryTake: (...wanted) =>
            Effect.map(
              good.tryTake(...wanted),
              (answer) => answer.isTaken ? { ...answer, release: Effect.void } : answer
            )
        })
      })
    }))
  },
  {
    name: "a dropped end of an attempt",
    rule: "every attempt ends",
    injection: replaceStore(AttemptStore, () => ({ endMany: () => Effect.succeed([]) }))
  },
  {
    name: "a restart without recovery",
    rule: "every attempt ends",
    injection: replaceStore(AttemptStore, () => ({ adopt: Effect.succeed([]) }))
  },
  {
    name: "a forgotten retry",
    rule: "attempts follow the retry policy",
    injection: replaceStore(
      DialQueue,
      (good) => ({
        settleMany: (settlements) => good.settleMany(settlements.map((settlement) => ({ ...settlement, next: null })))
      })
    )
  },
  {
    name: "an immediate retry",
    rule: "attempts follow the retry policy",
    injection: replaceStore(DialQueue, (good) => ({
      settleMany: (settlements) =>
        good.settleMany(settlements.map((settlement) => ({
          ...settlement,
          next: settlement.next && { ...settlement.next, due_at: 0 }
        })))
    }))
  },
  {
    name: "retry counters that are not stored",
    rule: "attempts follow the retry policy",
    injection: replaceStore(DialQueue, (good) => ({
      settleMany: (settlements) =>
        good.settleMany(settlements.map((settlement) => ({
          ...settlement,
          next: settlement.next && { ...settlement.next, counters: noRetries }
        })))
    }))
  },
  {
    name: "ignored stop files",
    rule: "a number on a stop file is not claimed",
    when: repeating("stop file"),
    injection: replaceStore(CohortStore, (good) => ({
      filterStopped: () => Effect.succeed(new Set()),
      usersAfter: (scope, owner, walk) =>
        walk.category === "stop_file" ? Effect.succeed([]) : good.usersAfter(scope, owner, walk)
    }))
  },
  {
    name: "an ignored do-not-call list",
    rule: "a blocked number is dialled only when it was claimed before",
    when: repeating("block"),
    injection: replaceStore(BlockedNumbersStore, () => ({ find: () => Effect.succeed([]) }))
  },
  {
    name: "a webhook that is not stored",
    rule: "every ended attempt has one webhook, with its own id, stored together with its result",
    injection: replaceStore(Outbox, () => ({ enqueueMany: () => Effect.void }))
  },
  {
    name: "a webhook whose delivery is not recorded",
    rule: "a webhook that arrived is sent again only after a crash",
    injection: replaceStore(Outbox, () => ({ record: () => Effect.void }))
  },
  {
    name: "a webhook with a new id for every try",
    rule: "a webhook has the same id and bytes on every try",
    injection: replaceSender((post) => (request) => {
      const id = `${request.headers["webhook-id"]}-${request.headers["webhook-timestamp"]}`
      return post({ ...request, headers: { ...request.headers, "webhook-id": id } })
    })
  },
  {
    name: "a webhook whose body is rebuilt for every try",
    rule: "a webhook has the same id and bytes on every try",
    injection: replaceSender((post) => (request) =>
      post({ ...request, body: new TextEncoder().encode(`${new TextDecoder().decode(request.body)} `) })
    )
  },
  {
    name: "a pause that is not stored",
    rule: "acknowledged changes are durable",
    when: repeating("pause"),
    injection: replaceStore(CampaignStore, (good) => ({
      put: (scope, campaign) => campaign.status === "paused" ? Effect.void : good.put(scope, campaign)
    }))
  },
  {
    name: "transactions that a crash leaves partially written",
    rule: "every attempt ends",
    when: crashingAtWrites,
    injection: { keepsPartialWrites: true }
  },
  {
    name: "a process that keeps running after its crash",
    rule: "a crashed process has no further effects",
    injection: { keepsRunning: true }
  }
]
