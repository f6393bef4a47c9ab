import { assert, layer } from "@effect/vitest"
import { CampaignId, type Transactions } from "@trunkline/kernel"
import { Array, Effect, type Layer, Option } from "effect"
import type { CampaignStore } from "../campaign/CampaignStore.js"
import { allow } from "../gate/Decision.js"
import { noOutcomes } from "../progress/AttemptOutcome.js"
import { contactListLaws } from "./ContactList.laws.js"
import { dialCountLaws } from "./DialCount.laws.js"
import { attempt, contact, enrolled, number, ours, retried, start, theirs } from "./DispatchFixtures.js"
import { dispatchMoveLaws } from "./DispatchMoves.laws.js"
import { dispatchOrderLaws } from "./DispatchOrder.laws.js"
import type { DispatchStore } from "./DispatchStore.js"
import { dispatchUndoLaws } from "./DispatchUndo.laws.js"

/** The laws of `DispatchStore`. Every law has a campaign of its own, so rows may live as long as the layer. */
export const dispatchStoreLaws = <E>(
  name: string,
  live: Layer.Layer<CampaignStore | DispatchStore | Transactions, E>
) => {
  dispatchOrderLaws(name, live)
  dispatchMoveLaws(name, live)
  dispatchUndoLaws(name, live)
  contactListLaws(name, live)
  dialCountLaws(name, live)
  layer(live)(`DispatchStore laws: ${name}`, (it) => {
    it.effect("finds a person as they were enrolled, in this campaign alone", () =>
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

    it.effect("a number is enrolled once; whoever has it already stays as they are", () =>
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

    it.effect("the same number in two campaigns is two people", () =>
      Effect.gen(function*() {
        const one = yield* enrolled("two-1", 1)
        const two = yield* enrolled("two-2", 1)
        assert.isTrue(yield* one.claim(1))
        assert.deepStrictEqual(yield* two.line, [number(1)])
        assert.deepStrictEqual(yield* two.store.counts(two.campaign_id), { waiting: 1, calling: 0, finished: 0 })
      }))

    it.effect("remembers how far the roster has been read, also when nobody new was there", () =>
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

    it.effect("those who are due come by due time, then by enrolment, no more of them than are asked for", () =>
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

    it.effect("a thousand people are enrolled at once and come in their order", () =>
      Effect.gen(function*() {
        const { campaign_id, line, store } = yield* enrolled("thousand", ...Array.range(1, 1_000))
        assert.deepStrictEqual(yield* store.counts(campaign_id), { waiting: 1_000, calling: 0, finished: 0 })
        assert.deepStrictEqual(yield* line, Array.range(1, 1_000).map(number))
      }))
  })
}
