import {
  Campaign,
  CampaignCalls,
  CampaignStore,
  type Contact,
  DispatchStore,
  noRetries,
  type OwnedCampaign
} from "@trunkline/campaigns"
import { CohortStore } from "@trunkline/cohorts"
import {
  Attempts,
  AttemptStore,
  BlockedNumbersStore,
  Calls,
  CallSlots,
  CarriedCalls,
  type Carrier,
  Carriers
} from "@trunkline/telephony"
import { HttpSender, Outbox } from "@trunkline/webhooks"
import { Context, Effect, Layer, Option } from "effect"
import { Recovery } from "../../src/index.js"
import type { Surroundings } from "./world/Process.js"
import type { PlannedDeed, Scenario } from "./world/Scenario.js"
import type { Planting } from "./world/Simulation.js"
import type { Weather } from "./world/Weather.js"

/** A fault in what surrounds the engine, and the rule by which the checker must find that it is there. */
export interface PlantedEngine {
  readonly name: string
  readonly rule: string
  readonly planting: Planting
  /** What else must be so for it to come to light. */
  readonly when?: (scenario: Scenario) => Partial<Scenario>
}

const offering = (dedupe: Weather["dedupe"]) => ({ weather }: Scenario) => ({ weather: { ...weather, dedupe } })

/** Operators do this again and again while the campaigns run. */
const doing = (deed: PlannedDeed["deed"]) => (): Partial<Scenario> => ({
  deeds: Array.from({ length: 20 }, (_, index) => ({ at: (index + 1) * 60_000, deed }))
})

/** The engine dies in the middle of its transactions. */
const dyingAtWrites = (): Partial<Scenario> => ({
  crashes: [9, 16, 18, 21, 24, 27, 33].map((nth) => ({ _tag: "Point", name: "write", nth })),
  downtimes: [1_000]
})

const within = (change: (given: Surroundings) => Partial<Surroundings>): Planting => ({
  surroundings: (given) => ({ ...given, ...change(given) })
})

/** Puts another store in place of one. */
const store = <I, S extends object>(
  tag: Context.Tag<I, S>,
  change: (good: S) => Partial<S>
): Planting =>
  within(({ stores }) => {
    const good: S = Context.unsafeGet(stores, tag)
    const bad = new Proxy(good, {
      get: (target, property) => Reflect.get(property in change(good) ? change(good) : target, property)
    })
    return { stores: Context.unsafeMake(new Map([...stores.unsafeMap, [tag.key, bad]])) }
  })

const carrier = (change: (good: Carrier) => Partial<Carrier>): Planting =>
  within(({ carriers }) => ({
    carriers: Layer.map(carriers, (context) => {
      const all = Context.get(context, Carriers).all.map((good) => ({ ...good, ...change(good) }))
      return Context.make(Carriers, {
        all,
        find: (name) => Option.fromNullable(all.find(({ provider }) => provider === name))
      })
    })
  }))

const sender = (change: (good: typeof HttpSender.Service["post"]) => typeof HttpSender.Service["post"]): Planting =>
  within((given) => ({
    sender: Layer.map(
      given.sender,
      (context) => Context.make(HttpSender, { post: change(Context.get(context, HttpSender).post) })
    )
  }))

/** The engine sees another campaign than there is; what it keeps of it is as it was. */
const otherCampaign = (change: (campaign: Campaign) => Partial<Campaign>): Planting => {
  const changed = (campaign: Campaign) => new Campaign({ ...campaign, ...change(campaign) })
  const asItWas = (kept: Campaign, given: Campaign) => {
    const { allowed_schedule, app_config } = changed(kept)
    const isMade = JSON.stringify([allowed_schedule, app_config]) ===
      JSON.stringify([given.allowed_schedule, given.app_config])
    return isMade
      ? new Campaign({ ...given, allowed_schedule: kept.allowed_schedule, app_config: kept.app_config })
      : given
  }
  const seen = ({ campaign, scope }: OwnedCampaign) => ({ scope, campaign: changed(campaign) })
  return store(CampaignStore, (good) => ({
    findOwned: (id) => Effect.map(good.findOwned(id), Option.map(seen)),
    put: (scope, campaign) =>
      Effect.flatMap(good.findOwned(campaign.campaign_id), (known) =>
        good.put(
          scope,
          Option.match(known, {
            onNone: () => campaign,
            onSome: (owned) => asItWas(owned.campaign, campaign)
          })
        ))
  }))
}

const everybody = { state: null, reason: null, search: "", limit: 100, after: null, before: null }

/** A queue that offers everybody once more while they are on the phone, and nobody who minds. */
const blindClaims: Planting = {
  surroundings: (given) => {
    const again = new Set<string>()
    const isOfferedAgain = ({ attempt_id, state }: Contact) => {
      if (state !== "calling" || attempt_id === null || again.has(attempt_id)) return false
      again.add(attempt_id)
      return true
    }
    const blind = store(DispatchStore, (good) => ({
      ready: (campaign, now, limit) =>
        Effect.map(
          Effect.all([good.ready(campaign, now, limit), good.list(campaign, everybody)]),
          ([ready, seated]) => [...ready, ...seated.map(({ contact }) => contact).filter(isOfferedAgain)]
        ),
      onThePhone: () => Effect.succeed(new Set()),
      claim: (owner, claims, at) =>
        Effect.as(good.claim(owner, claims, at), new Set(claims.map(({ user_phone_number }) => user_phone_number)))
    }))
    const carried = Layer.map(given.carried, (context) => {
      const good = Context.get(context, CarriedCalls)
      return Context.make(CarriedCalls, { ...good, talking: () => Effect.succeed(new Set()) })
    })
    return { ...(blind.surroundings?.(given) ?? given), carried }
  }
}

/** Dials again whatever was claimed and not accepted: what comes of a queue that delivers at least once. */
const naiveRecovery: typeof Recovery.layer = Layer.effect(
  Recovery,
  Effect.gen(function*() {
    const store = yield* AttemptStore
    const attempts = yield* Attempts
    const calls = yield* Calls
    const campaignCalls = yield* CampaignCalls
    return Recovery.of({
      find: Effect.map(store.unfinished, (open) => ({
        count: open.length,
        settle: Effect.forEach(open, ({ attempt_id }) =>
          Effect.gen(function*() {
            const attempt = Option.getOrThrow(yield* store.find(attempt_id))
            const outcome = yield* calls.place(attempt)
            if (outcome._tag !== "Connected" && outcome._tag !== "NotConnected") return
            if (attempt.kind === "campaign") return yield* campaignCalls.end(attempt, outcome)
            yield* attempts.end({ attempt_id, outcome })
          }), { concurrency: "unbounded", discard: true })
      }))
    })
  })
)

/** The control: an engine that dials again after a crash. */
export const naive: Planting = within(() => ({ recovery: naiveRecovery }))

/** Faults in what surrounds the engine. */
export const plantedEngines: ReadonlyArray<PlantedEngine> = [
  {
    name: "a carrier that dials twice",
    rule: "an attempt is dialled at most once",
    when: offering("none"),
    planting: carrier(({ place }) => ({ place: (plan) => Effect.zipRight(place(plan), place(plan)) }))
  },
  {
    name: "a recovery that dials again what was claimed",
    rule: "an attempt is dialled at most once",
    when: offering("none"),
    planting: naive
  },
  {
    name: "a carrier that finds nothing",
    rule: "an attempt that is taken back was not dialled",
    when: offering("lookup"),
    planting: carrier(() => ({ look: () => Effect.succeed({ _tag: "NotFound" }) }))
  },
  {
    name: "a store whose claim and whose queue do not look who is on the phone",
    rule: "nobody is called by a campaign while it calls them already",
    planting: blindClaims
  },
  {
    name: "a window that is not looked at",
    rule: "claims are made only while the campaign runs, in its window and dates",
    planting: otherCampaign(({ allowed_schedule }) => ({
      allowed_schedule: { ...allowed_schedule, allowed_start_time: "00:00", allowed_end_time: "23:59" }
    }))
  },
  {
    name: "a rate that is not kept",
    rule: "a campaign dials no faster than its rate, and banks nothing",
    planting: otherCampaign(({ app_config }) => ({
      app_config: { ...app_config, attempts_per_second: app_config.attempts_per_second * 10 }
    }))
  },
  {
    name: "lines that are lent out without end",
    rule: "a workspace holds no more calls than it may",
    planting: within(() => ({ slots: CallSlots.layer({ maxConcurrentCalls: 50 }) }))
  },
  {
    name: "lines that are not given back",
    rule: "a campaign that can dial does",
    planting: within(({ slots }) => ({
      slots: Layer.map(slots, (context) => {
        const good = Context.get(context, CallSlots)
        return Context.make(CallSlots, {
          ...good,
          tryTake: (...wanted) =>
            Effect.map(good.tryTake(...wanted), (answer) => answer.taken ? { ...answer, release: Effect.void } : answer)
        })
      })
    }))
  },
  {
    name: "a finish that is dropped",
    rule: "every attempt comes to an end",
    planting: store(AttemptStore, () => ({ end: () => Effect.succeedNone }))
  },
  {
    name: "a restart that does not look for what is unfinished",
    rule: "every attempt comes to an end",
    planting: store(AttemptStore, () => ({ unfinished: Effect.succeed([]) }))
  },
  {
    name: "a retry that is forgotten",
    rule: "attempts follow one another as the retry policy says",
    planting: store(DispatchStore, (good) => ({ settle: (settlement) => good.settle({ ...settlement, next: null }) }))
  },
  {
    name: "a retry that comes at once",
    rule: "attempts follow one another as the retry policy says",
    planting: store(DispatchStore, (good) => ({
      settle: (settlement) => good.settle({ ...settlement, next: settlement.next && { ...settlement.next, due_at: 0 } })
    }))
  },
  {
    name: "counters of retries that are not kept",
    rule: "attempts follow one another as the retry policy says",
    planting: store(DispatchStore, (good) => ({
      settle: (settlement) =>
        good.settle({ ...settlement, next: settlement.next && { ...settlement.next, counters: noRetries } })
    }))
  },
  {
    name: "stop files that nobody reads",
    rule: "who a stop file has is not claimed any more",
    when: doing("stop file"),
    planting: store(CohortStore, (good) => ({
      isStopped: () => Effect.succeed(false),
      usersAfter: (scope, owner, walk) =>
        walk.category === "stop_file" ? Effect.succeed([]) : good.usersAfter(scope, owner, walk)
    }))
  },
  {
    name: "a do-not-call list that nobody reads",
    rule: "a blocked number is dialled only if its claim came first",
    when: doing("block"),
    planting: store(BlockedNumbersStore, () => ({ find: () => Effect.succeed([]) }))
  },
  {
    name: "a webhook that is not kept",
    rule: "every ended attempt has one webhook, with its own id, kept together with its result",
    planting: store(Outbox, () => ({ enqueue: () => Effect.void }))
  },
  {
    name: "a webhook of which nobody remembers that it arrived",
    rule: "a webhook that arrived is sent again only after a crash",
    planting: store(Outbox, () => ({ record: () => Effect.void }))
  },
  {
    name: "a webhook with a new id for every try",
    rule: "a webhook has the same id and bytes on every try",
    planting: sender((post) => (request) => {
      const id = `${request.headers["webhook-id"]}-${request.headers["webhook-timestamp"]}`
      return post({ ...request, headers: { ...request.headers, "webhook-id": id } })
    })
  },
  {
    name: "a webhook that is built anew for every try",
    rule: "a webhook has the same id and bytes on every try",
    planting: sender((post) => (request) =>
      post({ ...request, body: new TextEncoder().encode(`${new TextDecoder().decode(request.body)} `) })
    )
  },
  {
    name: "a pause that is not kept",
    rule: "what the API said was done is done, and stays done",
    when: doing("pause"),
    planting: store(CampaignStore, (good) => ({
      put: (scope, campaign) => campaign.status === "paused" ? Effect.void : good.put(scope, campaign)
    }))
  },
  {
    name: "transactions that a crash leaves half done",
    rule: "every attempt comes to an end",
    when: dyingAtWrites,
    planting: { keepsHalves: true }
  },
  {
    name: "a process that goes on after it was given up",
    rule: "a life that is over does nothing any more",
    planting: { undead: true }
  }
]
