import {
  Campaign,
  CampaignCalls,
  CampaignStore,
  type Contact,
  ContactStore,
  DialLog,
  DialQueue,
  type OwnedCampaign
} from "@trunkline/campaigns"
import { findOne } from "@trunkline/kernel"
import { Attempts, AttemptStore, CallRegistry, Calls, type Carrier, Carriers } from "@trunkline/telephony"
import { HttpSender } from "@trunkline/webhooks"
import { Context, Effect, Layer, Option } from "effect"
import { Recovery } from "../../src/index.js"
import type { EngineEnvironment } from "./world/Process.js"
import type { FaultInjection } from "./world/Simulation.js"

/** Replaces parts of the environment. */
export const replaceParts = (change: (given: EngineEnvironment) => Partial<EngineEnvironment>): FaultInjection => ({
  environment: (given) => ({ ...given, ...change(given) })
})

/** Replaces methods of a store. */
export const replaceStore = <I, S extends object>(
  tag: Context.Tag<I, S>,
  change: (good: S) => Partial<S>
): FaultInjection =>
  replaceParts(({ stores }) => {
    const good: S = Context.unsafeGet(stores, tag)
    const bad = new Proxy(good, {
      get: (target, property) => Reflect.get(property in change(good) ? change(good) : target, property)
    })
    return { stores: Context.unsafeMake(new Map([...stores.unsafeMap, [tag.key, bad]])) }
  })

/** Replaces methods of every carrier. */
export const replaceCarrier = (change: (good: Carrier) => Partial<Carrier>): FaultInjection =>
  replaceParts(({ carriers }) => ({
    carriers: Layer.map(carriers, (context) => {
      const list = Context.get(context, Carriers).list.map((good) => ({ ...good, ...change(good) }))
      return Context.make(Carriers, {
        list,
        find: (name) => Option.fromNullable(list.find(({ provider }) => provider === name))
      })
    })
  }))

/** Replaces the sender of webhooks. */
export const replaceSender = (
  change: (good: typeof HttpSender.Service["post"]) => typeof HttpSender.Service["post"]
): FaultInjection =>
  replaceParts((given) => ({
    sender: Layer.map(
      given.sender,
      (context) => Context.make(HttpSender, { post: change(Context.get(context, HttpSender).post) })
    )
  }))

/** Shows the engine a changed campaign, and stores what it writes without the change. */
export const changeCampaign = (change: (campaign: Campaign) => Partial<Campaign>): FaultInjection => {
  const changed = (campaign: Campaign) => new Campaign({ ...campaign, ...change(campaign) })
  const withoutChange = (stored: Campaign, written: Campaign) => {
    const { allowed_schedule, app_config } = changed(stored)
    const isChanged = JSON.stringify([allowed_schedule, app_config]) ===
      JSON.stringify([written.allowed_schedule, written.app_config])
    return isChanged
      ? new Campaign({ ...written, allowed_schedule: stored.allowed_schedule, app_config: stored.app_config })
      : written
  }
  const changedOwned = ({ campaign, scope }: OwnedCampaign) => ({ scope, campaign: changed(campaign) })
  return replaceStore(CampaignStore, (good) => ({
    findOwnedMany: (ids) =>
      Effect.map(
        good.findOwnedMany(ids),
        (found) => new Map([...found].map(([id, owned]) => [id, changedOwned(owned)]))
      ),
    put: (scope, campaign) =>
      Effect.flatMap(findOne(good.findOwnedMany, campaign.campaign_id), (known) =>
        good.put(
          scope,
          Option.match(known, {
            onNone: () => campaign,
            onSome: (owned) => withoutChange(owned.campaign, campaign)
          })
        ))
  }))
}

const allContacts = { state: null, reason: null, search: "", limit: 100, after: null, before: null }

/** Offers every contact once more during its call, and skips the checks that would prevent the second claim. */
export const skippedClaimChecks: FaultInjection = {
  environment: (given) => {
    const again = new Set<string>()
    const isOfferedAgain = ({ attempt_id, state }: Contact) => {
      if (state !== "calling" || attempt_id === null || again.has(attempt_id)) return false
      again.add(attempt_id)
      return true
    }
    const contacts = Context.get(given.stores, ContactStore)
    const repeating = replaceStore(DialQueue, (good) => ({
      ready: (campaign, now, limit) =>
        Effect.map(
          Effect.all([good.ready(campaign, now, limit), contacts.list(campaign, allContacts)]),
          ([ready, seated]) => [...ready, ...seated.map(({ contact }) => contact).filter(isOfferedAgain)]
        )
    }))
    const blind = replaceStore(DialLog, () => ({ onThePhone: () => Effect.succeed(new Set()) }))
    const carried = Layer.map(given.carried, (context) => {
      const good = Context.get(context, CallRegistry)
      return Context.make(CallRegistry, { ...good, busyNumbers: () => Effect.succeed(new Set()) })
    })
    const changed = [repeating, blind].reduce((before, { environment }) => environment?.(before) ?? before, given)
    return { ...changed, carried }
  }
}

/** Redials every attempt that was claimed but not accepted, as a queue with at-least-once delivery would. */
const redialAfterRestart: typeof Recovery.layer = Layer.effect(
  Recovery,
  Effect.gen(function*() {
    const store = yield* AttemptStore
    const attempts = yield* Attempts
    const calls = yield* Calls
    const campaignCalls = yield* CampaignCalls
    return Recovery.of({
      findLost: Effect.succeed({ count: 0, settle: Effect.void }),
      find: Effect.map(store.unfinished, (open) => ({
        count: open.length,
        settle: Effect.forEach(open, ({ attempt_id }) =>
          Effect.gen(function*() {
            const attempt = Option.getOrThrow(yield* findOne(store.findMany, attempt_id))
            const outcome = yield* calls.place(attempt)
            if (outcome._tag !== "Connected" && outcome._tag !== "NotConnected") return
            if (attempt.kind === "campaign") return yield* campaignCalls.end(attempt, outcome)
            yield* attempts.end({ attempt_id, outcome })
          }), { concurrency: "unbounded", discard: true })
      }))
    })
  })
)

/** Engine that redials after a crash, as a control for the checker. */
export const redialling: FaultInjection = replaceParts(() => ({ recovery: redialAfterRestart }))
