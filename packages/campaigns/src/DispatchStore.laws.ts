import { assert, layer } from "@effect/vitest"
import { CampaignId, Transactions } from "@trunkline/kernel"
import { Array, Effect, type Layer, Option } from "effect"
import { Contact } from "./Contact.js"
import { attempt, contact, enrolled, number, ours, retried, start, theirs } from "./DispatchFixtures.js"
import { dispatchOrderLaws } from "./DispatchOrder.laws.js"
import type { DispatchStore } from "./DispatchStore.js"

/** The laws of `DispatchStore`. Every law has a campaign of its own, so rows may live as long as the layer. */
export const dispatchStoreLaws = <E>(name: string, live: Layer.Layer<DispatchStore | Transactions, E>) => {
  dispatchOrderLaws(name, live)
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
          attempt_id: attempt(9)
        })
        yield* store.enrol(campaign_id, [whole], start)
        assert.deepStrictEqual(yield* store.find(campaign_id, number(1)), Option.some(contact(campaign_id, 1)))
        assert.deepStrictEqual(yield* store.find(campaign_id, number(2)), Option.some(whole))
        assert.deepStrictEqual(yield* store.find(campaign_id, number(3)), Option.none())
        assert.deepStrictEqual(yield* store.find(other, number(1)), Option.none())
        assert.deepStrictEqual(yield* store.nextWaiting(other), Option.none())
        assert.deepStrictEqual(yield* store.counts(other), { waiting: 0, calling: 0, finished: 0 })
        assert.isNull(yield* store.cursor(other))
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
        assert.deepStrictEqual(yield* store.counts(campaign_id), { waiting: 2, calling: 1, finished: 0 })
      }))

    it.effect("the same number in two campaigns is two people", () =>
      Effect.gen(function*() {
        const one = yield* enrolled("two-1", 1)
        const two = yield* enrolled("two-2", 1)
        assert.isTrue(yield* one.claim(1))
        assert.deepStrictEqual(yield* two.next, Option.some(number(1)))
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

    it.effect("who is due first is next; of equally due, who came first", () =>
      Effect.gen(function*() {
        const { campaign_id, claim, next, store } = yield* enrolled("order", 9, 3, 5)
        yield* store.enrol(campaign_id, [contact(campaign_id, 7, { due_at: 50 }), contact(campaign_id, 1)], start)
        const order: Array<unknown> = []
        for (const index of [7, 9, 3, 5, 1]) {
          order.push(yield* next)
          yield* claim(index)
        }
        assert.deepStrictEqual(order, [7, 9, 3, 5, 1].map((index) => Option.some(number(index))))
        assert.deepStrictEqual(yield* next, Option.none())
      }))

    it.effect("the next person is told whole, whether due or not", () =>
      Effect.gen(function*() {
        const { campaign_id, store } = yield* enrolled("whole")
        const late = contact(campaign_id, 1, { due_at: 8_000_000_000_000.5 })
        yield* store.enrol(campaign_id, [late], start)
        assert.deepStrictEqual(yield* store.nextWaiting(campaign_id), Option.some(late))
      }))

    it.effect("a claim puts someone who waits on the phone, once", () =>
      Effect.gen(function*() {
        const { campaign_id, claim, next, store } = yield* enrolled("claim", 1, 2)
        const claims = yield* Effect.all(Array.makeBy(8, () => claim(1)), { concurrency: "unbounded" })
        assert.lengthOf(claims.filter((won) => won), 1)
        assert.deepStrictEqual(
          yield* store.find(campaign_id, number(1)),
          Option.some(
            contact(campaign_id, 1, { state: "calling", attempts: 1, called_from: [ours], attempt_id: attempt(1) })
          )
        )
        assert.deepStrictEqual(yield* next, Option.some(number(2)))
        assert.isFalse(yield* claim(3))
        assert.deepStrictEqual(yield* store.counts(campaign_id), { waiting: 1, calling: 1, finished: 0 })
      }))

    it.effect("a settled call with a next time waits again, behind those equally due; without one it is over", () =>
      Effect.gen(function*() {
        const { campaign_id, claim, next, settle, store } = yield* enrolled("settle", 1, 2)
        yield* claim(1)
        yield* settle(1, 100)
        assert.deepStrictEqual(yield* next, Option.some(number(2)))
        const waiting = contact(campaign_id, 1, { attempts: 1, counters: retried, called_from: [ours] })
        assert.deepStrictEqual(yield* store.find(campaign_id, number(1)), Option.some(waiting))
        yield* claim(2)
        yield* settle(2, null)
        assert.deepStrictEqual(yield* next, Option.some(number(1)))
        assert.isFalse(yield* claim(2))
        assert.deepStrictEqual(yield* store.counts(campaign_id), { waiting: 1, calling: 0, finished: 1 })
        yield* claim(1, theirs)
        yield* settle(1, 900)
        yield* claim(1, ours)
        yield* settle(1, null)
        const finished = new Contact({
          ...waiting,
          state: "finished",
          due_at: 900,
          attempts: 3,
          called_from: [ours, theirs, ours]
        })
        assert.deepStrictEqual(yield* store.find(campaign_id, number(1)), Option.some(finished))
        assert.deepStrictEqual(yield* store.counts(campaign_id), { waiting: 0, calling: 0, finished: 2 })
      }))

    it.effect("a released person waits again, as if nobody had wanted to call them", () =>
      Effect.gen(function*() {
        const { campaign_id, claim, store } = yield* enrolled("release", 1, 2)
        yield* claim(1)
        const of = { campaign_id, user_phone_number: number(1) }
        yield* store.release({ ...of, attempt_id: attempt(2) })
        assert.deepInclude(Option.getOrThrow(yield* store.find(campaign_id, number(1))), { state: "calling" })
        yield* store.release({ ...of, attempt_id: attempt(1) })
        const waiting = Option.getOrThrow(yield* store.find(campaign_id, number(1)))
        assert.strictEqual(waiting.state, "waiting")
        assert.strictEqual(waiting.attempts, 0)
        assert.strictEqual(waiting.due_at, 100)
        assert.isNull(waiting.attempt_id)
        assert.deepStrictEqual(yield* store.counts(campaign_id), { waiting: 2, calling: 0, finished: 0 })
      }))

    it.effect("settles the attempt under way only, and once", () =>
      Effect.gen(function*() {
        const { campaign_id, claim, settle, store } = yield* enrolled("stale", 1)
        const stale = { campaign_id, user_phone_number: number(1), attempt_id: attempt(99), next: null }
        yield* store.settle(stale)
        yield* claim(1)
        const calling = yield* store.find(campaign_id, number(1))
        yield* store.settle(stale)
        yield* store.settle({ ...stale, user_phone_number: number(2) })
        assert.deepStrictEqual(yield* store.find(campaign_id, number(1)), calling)
        yield* settle(1, 500)
        yield* settle(1, null)
        assert.deepStrictEqual(yield* store.counts(campaign_id), { waiting: 1, calling: 0, finished: 0 })
      }))

    it.effect("a transaction that fails leaves people, line, counts and cursor as they were", () =>
      Effect.gen(function*() {
        const { campaign_id, claim, next, settle, store } = yield* enrolled("undone", 1, 2)
        const { run } = yield* Transactions
        const undone = <A>(change: Effect.Effect<A>) => Effect.flip(run(Effect.zipRight(change, Effect.fail("undone"))))
        const look = Effect.all([
          next,
          store.counts(campaign_id),
          store.cursor(campaign_id),
          store.stopCursor(campaign_id)
        ])
        const before = yield* look
        yield* undone(store.enrol(campaign_id, [contact(campaign_id, 3)], { completed_seq: 9, row: 9 }))
        yield* undone(Effect.zipRight(claim(1), settle(1, null)))
        yield* undone(claim(1))
        yield* undone(store.stop(campaign_id, [number(1), number(2)]))
        yield* undone(store.setStopCursor(campaign_id, { completed_seq: 9, row: 9 }))
        assert.deepStrictEqual(yield* look, before)
        assert.deepStrictEqual(yield* store.find(campaign_id, number(1)), Option.some(contact(campaign_id, 1)))
        assert.deepStrictEqual(yield* store.find(campaign_id, number(3)), Option.none())
        assert.isTrue(yield* claim(1))
      }))

    it.effect("a thousand people are enrolled at once and come in their order", () =>
      Effect.gen(function*() {
        const { campaign_id, claim, next, store } = yield* enrolled("thousand", ...Array.range(1, 1_000))
        assert.deepStrictEqual(yield* store.counts(campaign_id), { waiting: 1_000, calling: 0, finished: 0 })
        for (const index of Array.range(1, 5)) {
          assert.deepStrictEqual(yield* next, Option.some(number(index)))
          yield* claim(index)
        }
      }))
  })
}
