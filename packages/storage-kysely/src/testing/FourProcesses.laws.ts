import { assert, describe, it } from "@effect/vitest"
import { CampaignStore, ContactStore, DialQueue } from "@trunkline/campaigns"
import { campaignFixture } from "@trunkline/campaigns/testing"
import { AttemptId, CampaignId, findOne, Transactions } from "@trunkline/kernel"
import { DeliveryId, NotificationStore, RunId } from "@trunkline/notifications"
import { notificationSamples } from "@trunkline/notifications/testing"
import { Account, AccountId, AccountStore, Credits } from "@trunkline/rate-limits"
import { SlotLeases } from "@trunkline/telephony"
import { FactsLog } from "@trunkline/warehouse"
import { factOf, factScope } from "@trunkline/warehouse/testing"
import { Outbox } from "@trunkline/webhooks"
import { planFor, webhook } from "@trunkline/webhooks/testing"
import { Array, Context, Effect, type Scope as EffectScope } from "effect"
import { contactsOf, inEach, inFirst, joinFour, numberOf, untilNone } from "./FourFixtures.js"
import type { ProcessLayer } from "./Processes.laws.js"

const scope = factScope("four")
const campaign_id = CampaignId.make("camp-four")

/** Claims some contacts of the campaign; returns their numbers. */
const claimSome = (process: number) =>
  Effect.gen(function*() {
    const queue = yield* DialQueue
    const { runGuarded } = yield* Transactions
    return yield* runGuarded(Effect.gen(function*() {
      const ready = yield* queue.ready(campaign_id, 200, 10)
      const claims = ready.map(({ user_phone_number }) => ({
        user_phone_number,
        attempt_id: AttemptId.make(`${process}-${user_phone_number}`),
        from: numberOf(-1)
      }))
      const ids = yield* queue.claimMany([{ scope, campaign_id, claims, at: 150, isDialled: false }])
      return claims.filter(({ attempt_id }) => ids.has(attempt_id)).map((claim) => claim.user_phone_number)
    }))
  })

/** Reads the whole log, place by place, until it has so many entries. */
const followFacts = (entries: number) =>
  Effect.gen(function*() {
    const log = yield* FactsLog
    const ids: Array<AttemptId> = []
    let after = 0
    while (ids.length < entries) {
      const page = yield* log.read(scope, { after, limit: 7 })
      ids.push(...page.map(({ attempt_id }) => attempt_id))
      after = page.at(-1)?.seq ?? after
    }
    return ids
  })

/** Laws of what four processes do at the same time. The database gives a layer; each of its builds is a process. */
export const fourProcessesLaws = <E>(
  name: string,
  database: Effect.Effect<ProcessLayer<E>, never, EffectScope.Scope>
): void => {
  const four = joinFour(database)

  describe(`Laws of four processes: ${name}`, () => {
    it.scopedLive("claim each contact once", () =>
      Effect.gen(function*() {
        const processes = yield* four
        const [first] = processes
        if (first === undefined) return assert.fail()
        const contacts = Context.get(first, ContactStore)
        yield* contacts.enrol(campaign_id, contactsOf(campaign_id, 300), { completed_seq: 1, row: 1 })
        const phones = yield* inEach(processes, (process) => untilNone(claimSome(process)))
        assert.sameMembers(phones.flat(), Array.makeBy(300, numberOf))
        assert.deepStrictEqual(yield* contacts.counts(campaign_id), { waiting: 0, calling: 300, finished: 0 })
      }))

    it.scopedLive("add and claim each webhook once", () =>
      Effect.gen(function*() {
        const processes = yield* four
        const rows = Array.makeBy(200, (index) => webhook({ url: `https://${index % 5}.example/hook` }))
        // Every process adds all of them, as after lost answers; one row is kept of each.
        yield* inEach(processes, () =>
          Effect.flatMap(Outbox, ({ enqueueMany }) => Effect.forEach(Array.chunksOf(rows, 20), enqueueMany)))
        const claim = Effect.flatMap(Outbox, ({ claimDue }) =>
          claimDue({ now: 2_000, leaseMillis: 60_000, plan: planFor(15) }))
        const batches = yield* inEach(processes, () =>
          untilNone(Effect.map(claim, ({ rows }) =>
            rows)))
        assert.sameMembers(
          batches.flat().map(({ webhook_id }) =>
            webhook_id
          ),
          rows.map(({ webhook_id }) => webhook_id)
        )
      }))

    it.scopedLive("claim each report and each delivery of one once in a lease", () =>
      Effect.gen(function*() {
        const processes = yield* four
        const { delivery, rule, run } = notificationSamples
        const runs = Array.makeBy(60, (index) => ({ ...run, run_id: RunId.make(`run-${index}`), scheduled_for: index }))
        const deliveries = runs.map(({ run_id, scheduled_for }, index) => ({
          ...delivery,
          delivery_id: DeliveryId.make(`delivery-${index}`),
          run_id,
          scheduled_for
        }))
        yield* inFirst(
          processes,
          Effect.flatMap(NotificationStore, ({ insertDeliveries, insertRun, putRule }) =>
            putRule(run.scope, rule).pipe(
              Effect.zipRight(Effect.forEach(runs, insertRun)),
              Effect.zipRight(insertDeliveries(deliveries))
            ))
        )
        for (const now of [1_000, 2_000]) {
          const options = { now, limit: 7, leaseMillis: 1_000 }
          const batches = yield* inEach(processes, () =>
            Effect.flatMap(NotificationStore, ({ claimDeliveries, claimRuns }) =>
              Effect.all([
                untilNone(claimRuns({ ...options, exceptScopes: [] })),
                untilNone(claimDeliveries("email", options))
              ])))
          const claims = batches.flatMap(([runs, deliveries]) => [
            ...runs.map((one) => [one.run_id, one.claims]),
            ...deliveries.map((one) => [one.delivery_id, one.tries])
          ])
          const events = [
            ...runs.map(({ run_id }) =>
              run_id
            ),
            ...deliveries.map(({ delivery_id }) => delivery_id)
          ]
          assert.sameDeepMembers(claims, events.map((id) => [id, now / 1_000]))
        }
      }))

    it.scopedLive("lose no fact, and read all of them in one order", () =>
      Effect.gen(function*() {
        const processes = yield* four
        const each = 60
        const append = (process: number) =>
          Effect.flatMap(FactsLog, ({ appendMany }) =>
            Effect.forEach(
              Array.chunksOf(Array.makeBy(each, (index) => process * each + index), 4),
              (numbers) => appendMany(numbers.map((number) => ({ scope, fact: factOf(scope, number) })))
            ))
        const [seen] = yield* Effect.all([
          inEach(processes, () => followFacts(4 * each)),
          inEach(processes, append)
        ], { concurrency: 2 })
        const [order = []] = seen
        assert.strictEqual(new Set(order).size, 4 * each)
        for (const other of seen) assert.deepStrictEqual(other, order)
      }))

    it.scopedLive("never overdraw an account", () =>
      Effect.gen(function*() {
        const processes = yield* four
        const [first] = processes
        if (first === undefined) return assert.fail()
        const account_id = AccountId.make("account-four")
        yield* Context.get(first, AccountStore).putAccount(new Account({ account_id, plan: "pro", credits: 0 }))
        const credits = Context.get(first, Credits)
        yield* credits.grant({ account_id, micro_credits: 300, reference: "first" })
        const payments = yield* inEach(processes, (process) =>
          Effect.flatMap(Credits, ({ pay }) =>
            Effect.forEach(Array.range(1, 40), (index) => {
              const charge = { payer: { account_id }, request_id: `${process}-${index}`, api: "talk" }
              const work = Effect.succeed({ value: 1, used: { character: 1 } })
              return Effect.merge(Effect.mapError(pay({ ...charge, max: { character: 1 } }, work), () =>
                0))
            }, { concurrency: 4 })))
        const { balance, reserved } = yield* credits.balance(account_id)
        const total = payments.flat().reduce((sum, one) =>
          sum + one, 0)
        assert.deepStrictEqual({ balance, reserved, spent: total }, { balance: 0, reserved: 0, spent: 100 })
      }))

    it.scopedLive("lose no change of a campaign", () =>
      Effect.gen(function*() {
        const processes = yield* four
        const [first] = processes
        if (first === undefined) return assert.fail()
        const { findOwnedMany, put } = Context.get(first, CampaignStore)
        yield* put(scope, campaignFixture("camp-four", { name: "0" }))
        const count = Effect.gen(function*() {
          const { find, put } = yield* CampaignStore
          const { run } = yield* Transactions
          yield* run(Effect.gen(function*() {
            const campaign = yield* Effect.flatten(find(scope, campaign_id))
            yield* put(scope, { ...campaign, name: String(Number(campaign.name) + 1) })
          }))
        })
        yield* inEach(processes, () => Effect.repeatN(Effect.orDie(count), 14))
        const { campaign } = yield* Effect.flatten(findOne(findOwnedMany, campaign_id))
        assert.strictEqual(campaign.name, "60")
      }))

    it.scopedLive("use no more slots than there are, and leave free ones to each other", () =>
      Effect.gen(function*() {
        const processes = yield* four
        const limit = 10
        const used = processes.map(() => 0)
        const settle = (process: number, isWanted: boolean) =>
          Effect.gen(function*() {
            const leases = (yield* SlotLeases) ?? assert.fail("the database is shared")
            const now = used[process] ?? 0
            const request = { resource: "connection four", limit, used: now, hadSlots: now > 0, isWanted }
            const [grant] = yield* leases.settle([request])
            return { now, usable: grant?.usable ?? 0 }
          })
        const work = (process: number) =>
          Effect.forEach(Array.range(1, 60), (round) =>
            Effect.map(settle(process, true), ({ now, usable }) => {
              // Calls end in every third round; others begin as far as slots allow.
              used[process] = round % 3 === process % 3 ? Math.floor(now / 2) : Math.max(now, usable)
              assert.isAtMost(used.reduce((sum, one) => sum + one, 0), limit)
            }))
        yield* inEach(processes, work)
        used.fill(0)
        yield* inEach(processes, (process) => settle(process, false))
        const [lastShare] = yield* inEach(processes.slice(0, 1), (process) =>
          Effect.repeat(
            Effect.tap(settle(process, true), ({ usable }) =>
              Effect.sync(() => {
                used[process] = usable
              })),
            { until: ({ now, usable }) => usable === now }
          ))
        assert.deepStrictEqual(lastShare, { now: limit, usable: limit })
      }))
  })
}
