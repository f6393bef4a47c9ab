import { assert, layer } from "@effect/vitest"
import { CampaignId } from "@trunkline/kernel"
import { Array, Effect, type Layer, Option } from "effect"
import { noOutcomes } from "../contacts/AttemptOutcome.js"
import { allow } from "../contacts/GateResult.js"
import type { DispatchStores } from "../store/DispatchStores.js"
import { contactListLaws } from "./ContactList.laws.js"
import { attempt, contact, enrolled, number, ours, retried, start, theirs } from "./Fixtures.js"

/** The laws of `ContactStore`. Every law has a campaign of its own, so rows may live as long as the layer. */
export const contactStoreLaws = <E>(name: string, live: Layer.Layer<DispatchStores, E>) => {
  contactListLaws(name, live)
  layer(live)(`ContactStore laws: ${name}`, (it) => {
    it.effect("finds a contact as it was enrolled, in its campaign only", () =>
      Effect.gen(function*() {
        const { campaign_id, contacts, queue } = yield* enrolled("find", 1)
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
        yield* contacts.enrol(campaign_id, [whole], start)
        assert.deepStrictEqual(yield* contacts.find(campaign_id, number(1)), Option.some(contact(campaign_id, 1)))
        assert.deepStrictEqual(yield* contacts.find(campaign_id, number(2)), Option.some(whole))
        assert.deepStrictEqual(yield* contacts.find(campaign_id, number(3)), Option.none())
        assert.deepStrictEqual(yield* contacts.find(other, number(1)), Option.none())
        const keys = [{ campaign_id, user_phone_number: number(2) }, {
          campaign_id: other,
          user_phone_number: number(1)
        }]
        assert.deepStrictEqual(yield* queue.retriesOf(keys), [whole.counters, null])
        assert.deepStrictEqual(yield* queue.ready(other, 1_000, 10), [])
        assert.deepStrictEqual(yield* contacts.counts(other), { waiting: 0, calling: 0, finished: 0 })
        assert.deepStrictEqual(yield* contacts.totals(other), {
          contacts: { waiting: 0, calling: 0, finished: 0 },
          outcomes: noOutcomes,
          taken: 0
        })
        assert.isNull(yield* contacts.cursor(other))
        assert.isNull(yield* queue.nextDue(other))
        assert.isNull(yield* queue.lastDue(other))
      }))

    it.effect("enrols a number once and leaves enrolled contacts unchanged", () =>
      Effect.gen(function*() {
        const { campaign_id, claim, contacts } = yield* enrolled("once", 1, 2)
        yield* claim(1)
        const before = yield* contacts.find(campaign_id, number(1))
        const again = [1, 2, 3, 3].map((index) => contact(campaign_id, index, { user_identifier: "again" }))
        yield* contacts.enrol(campaign_id, again, { completed_seq: 2, row: 9 })
        assert.deepStrictEqual(yield* contacts.find(campaign_id, number(1)), before)
        assert.deepStrictEqual(yield* contacts.find(campaign_id, number(2)), Option.some(contact(campaign_id, 2)))
        assert.deepStrictEqual(yield* contacts.totals(campaign_id), {
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
        assert.deepStrictEqual(yield* two.contacts.counts(two.campaign_id), { waiting: 1, calling: 0, finished: 0 })
      }))

    it.effect("stores the position in the roster, also when no contact is new", () =>
      Effect.gen(function*() {
        const { campaign_id, contacts } = yield* enrolled("cursor", 1)
        assert.deepStrictEqual(yield* contacts.cursor(campaign_id), start)
        for (const cursor of [{ completed_seq: 1, row: 7 }, { completed_seq: 3, row: 2 }]) {
          yield* contacts.enrol(campaign_id, [contact(campaign_id, 1)], cursor)
          assert.deepStrictEqual(yield* contacts.cursor(campaign_id), cursor)
        }
        yield* contacts.enrol(campaign_id, [], { completed_seq: 4, row: 1 })
        assert.deepStrictEqual(yield* contacts.cursor(campaign_id), { completed_seq: 4, row: 1 })
        assert.deepStrictEqual(yield* contacts.counts(campaign_id), { waiting: 1, calling: 0, finished: 0 })
      }))

    it.effect("enrols a thousand contacts at once in their order", () =>
      Effect.gen(function*() {
        const { campaign_id, contacts, line } = yield* enrolled("thousand", ...Array.range(1, 1_000))
        assert.deepStrictEqual(yield* contacts.counts(campaign_id), { waiting: 1_000, calling: 0, finished: 0 })
        assert.deepStrictEqual(yield* line, Array.range(1, 1_000).map(number))
      }))
  })
}
