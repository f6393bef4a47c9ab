import { assert, layer } from "@effect/vitest"
import { CampaignId, Transactions } from "@trunkline/kernel"
import { Array, Effect, type Layer, Option } from "effect"
import type { CampaignStore } from "../campaign/CampaignStore.js"
import { noOutcomes } from "../contacts/AttemptOutcome.js"
import { allow, hold } from "../contacts/GateResult.js"
import type { DispatchStore } from "../store/DispatchStore.js"
import { contactListLaws } from "./ContactList.laws.js"
import { contactTransitionLaws } from "./ContactTransitions.laws.js"
import { dialCountLaws, dispatchQueueLaws } from "./DispatchQueue.laws.js"
import { attempt, contact, enrolled, now, number, ours, retried, start, theirs } from "./Fixtures.js"

/** The laws of `DispatchStore`. Every law has a campaign of its own, so rows may live as long as the layer. */
export const dispatchStoreLaws = <E>(
  name: string,
  live: Layer.Layer<CampaignStore | DispatchStore | Transactions, E>
) => {
  dispatchQueueLaws(name, live)
  contactTransitionLaws(name, live)
  rollbackLaws(name, live)
  contactListLaws(name, live)
  dialCountLaws(name, live)
  layer(live)(`DispatchStore laws: ${name}`, (it) => {
    it.effect("finds a contact as it was enrolled, in its campaign only", () =>
      Effect.gen(function*() {
        const { campaign_id, store } = yield* enrolled("find", 1)
        const other = CampaignId.make("camp-find-other")
        const whole = contact(campaign_id, 2, {
          state: "calling",
          attempts: 3,
          counters: retried,
          called_from: [ours, theirs],
          attempt_id: attempt(9),
          decision: allow("allowed", 120.5),
          last_outcome: {
            completion_status: "failed",
            connectivity_status: null,
            next_action_status: "internal_error_retry"
          }
        })
        yield* store.enrol(campaign_id, [whole], start)
        assert.deepStrictEqual(yield* store.find(campaign_id, number(1)), Option.some(contact(campaign_id, 1)))
        assert.deepStrictEqual(yield* store.find(campaign_id, number(2)), Option.some(whole))
        assert.deepStrictEqual(yield* store.find(campaign_id, number(3)), Option.none())
        assert.deepStrictEqual(yield* store.find(other, number(1)), Option.none())
        assert.deepStrictEqual(yield* store.retries(campaign_id, number(2)), Option.some(whole.counters))
        assert.deepStrictEqual(yield* store.retries(other, number(1)), Option.none())
        assert.deepStrictEqual(yield* store.ready(other, 1_000, 10), [])
        assert.deepStrictEqual(yield* store.counts(other), { waiting: 0, calling: 0, finished: 0 })
        assert.deepStrictEqual(yield* store.totals(other), {
          contacts: { waiting: 0, calling: 0, finished: 0 },
          outcomes: noOutcomes,
          taken: 0
        })
        assert.isNull(yield* store.cursor(other))
        assert.isNull(yield* store.nextDue(other))
        assert.isNull(yield* store.lastDue(other))
      }))

    it.effect("enrols a number once and leaves enrolled contacts unchanged", () =>
      Effect.gen(function*() {
        const { campaign_id, claim, store } = yield* enrolled("once", 1, 2)
        yield* claim(1)
        const before = yield* store.find(campaign_id, number(1))
        const again = [1, 2, 3, 3].map((index) => contact(campaign_id, index, { user_identifier: "again" }))
        yield* store.enrol(campaign_id, again, { completed_seq: 2, row: 9 })
        assert.deepStrictEqual(yield* store.find(campaign_id, number(1)), before)
        assert.deepStrictEqual(yield* store.find(campaign_id, number(2)), Option.some(contact(campaign_id, 2)))
        assert.deepStrictEqual(yield* store.totals(campaign_id), {
          contacts: { waiting: 2, calling: 1, finished: 0 },
          outcomes: noOutcomes,
          taken: 6
        })
      }))

    it.effect("keeps the same number in two campaigns apart", () =>
      Effect.gen(function*() {
        const one = yield* enrolled("two-1", 1)
        const two = yield* enrolled("two-2", 1)
        assert.isTrue(yield* one.claim(1))
        assert.deepStrictEqual(yield* two.line, [number(1)])
        assert.deepStrictEqual(yield* two.store.counts(two.campaign_id), { waiting: 1, calling: 0, finished: 0 })
      }))

    it.effect("stores the position in the roster, also when no contact is new", () =>
      Effect.gen(function*() {
        const { campaign_id, store } = yield* enrolled("cursor", 1)
        assert.deepStrictEqual(yield* store.cursor(campaign_id), start)
        for (const cursor of [{ completed_seq: 1, row: 7 }, { completed_seq: 3, row: 2 }]) {
          yield* store.enrol(campaign_id, [contact(campaign_id, 1)], cursor)
          assert.deepStrictEqual(yield* store.cursor(campaign_id), cursor)
        }
        yield* store.enrol(campaign_id, [], { completed_seq: 4, row: 1 })
        assert.deepStrictEqual(yield* store.cursor(campaign_id), { completed_seq: 4, row: 1 })
        assert.deepStrictEqual(yield* store.counts(campaign_id), { waiting: 1, calling: 0, finished: 0 })
      }))

    it.effect("returns due contacts by due time, then by enrolment, up to the limit", () =>
      Effect.gen(function*() {
        const { campaign_id, store } = yield* enrolled("order", 9, 3, 5)
        const late = contact(campaign_id, 8, { due_at: 8_000_000_000_000.5 })
        yield* store.enrol(campaign_id, [late, contact(campaign_id, 7, { due_at: 50 }), contact(campaign_id, 1)], start)
        const ready = (at: number, limit: number) =>
          Effect.map(store.ready(campaign_id, at, limit), (people) => people.map((one) => one.user_phone_number))
        assert.deepStrictEqual(yield* ready(49, 10), [])
        assert.deepStrictEqual(yield* ready(99, 10), [7].map(number))
        assert.deepStrictEqual(yield* ready(100, 10), [7, 9, 3, 5, 1].map(number))
        assert.deepStrictEqual(yield* ready(100, 3), [7, 9, 3].map(number))
        assert.deepStrictEqual(yield* store.ready(campaign_id, 8_000_000_000_001, 10), [
          contact(campaign_id, 7, { due_at: 50 }),
          ...[9, 3, 5, 1].map((index) => contact(campaign_id, index)),
          late
        ])
        assert.strictEqual(yield* store.nextDue(campaign_id), 50)
        assert.strictEqual(yield* store.lastDue(campaign_id), 8_000_000_000_000.5)
      }))

    it.effect("enrols a thousand contacts at once in their order", () =>
      Effect.gen(function*() {
        const { campaign_id, line, store } = yield* enrolled("thousand", ...Array.range(1, 1_000))
        assert.deepStrictEqual(yield* store.counts(campaign_id), { waiting: 1_000, calling: 0, finished: 0 })
        assert.deepStrictEqual(yield* line, Array.range(1, 1_000).map(number))
      }))
  })
}

/** The law of transactions: a failure rolls back every write. */
const rollbackLaws = <E>(name: string, live: Layer.Layer<DispatchStore | Transactions, E>) =>
  layer(live)(`DispatchStore rollback: ${name}`, (it) => {
    it.effect("rolls back contacts, queue, counts and cursors", () =>
      Effect.gen(function*() {
        const of = yield* enrolled("undone", 1, 2)
        const { campaign_id, claim, line, release, scope, settle, stop, store } = of
        const { run } = yield* Transactions
        const rollback = (...changes: ReadonlyArray<Effect.Effect<unknown>>) =>
          Effect.flip(run(Effect.zipRight(Effect.all(changes, { discard: true }), Effect.fail("undone"))))
        const look = Effect.all([
          line,
          store.totals(campaign_id),
          store.cursor(campaign_id),
          store.stopCursor(campaign_id),
          store.minutes(campaign_id, 0),
          store.lastDial(campaign_id),
          store.onThePhone(scope, [number(1)]),
          store.dialsOf(scope, 0, [number(1)]),
          store.nextDue(campaign_id),
          store.lastDue(campaign_id)
        ])
        const before = yield* look
        const decision = hold("daily_cap", now, 900)
        yield* rollback(store.enrol(campaign_id, [contact(campaign_id, 3)], { completed_seq: 9, row: 9 }))
        yield* rollback(claim(1), settle(1, null))
        yield* rollback(claim(1), claim(2), settle(1, 300))
        yield* rollback(claim(1), release(1))
        yield* rollback(claim(1))
        yield* rollback(stop(1, 2))
        yield* rollback(store.defer(campaign_id, [{ user_phone_number: number(1), due_at: 900, decision }]))
        yield* rollback(store.setStopCursor(campaign_id, { completed_seq: 9, row: 9 }))
        yield* rollback(store.addDials(campaign_id, now, 3))
        yield* rollback(store.recordDials(scope, now, [number(1)]))
        assert.deepStrictEqual(yield* look, before)
        assert.deepStrictEqual(yield* store.find(campaign_id, number(1)), Option.some(contact(campaign_id, 1)))
        assert.deepStrictEqual(yield* store.find(campaign_id, number(3)), Option.none())
        assert.isTrue(yield* claim(1))
      }))
  })
