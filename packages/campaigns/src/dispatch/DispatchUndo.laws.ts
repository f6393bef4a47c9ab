import { assert, layer } from "@effect/vitest"
import { Transactions } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import { hold } from "../gate/Decision.js"
import { contact, enrolled, now, number } from "./DispatchFixtures.js"
import type { DispatchStore } from "./DispatchStore.js"

/** The law of transactions: one that fails leaves nothing of what it did. */
export const dispatchUndoLaws = <E>(name: string, live: Layer.Layer<DispatchStore | Transactions, E>) =>
  layer(live)(`DispatchStore undone: ${name}`, (it) => {
    it.effect("a transaction that fails leaves people, queue, counts and cursors as they were", () =>
      Effect.gen(function*() {
        const of = yield* enrolled("undone", 1, 2)
        const { campaign_id, claim, line, release, scope, settle, stop, store } = of
        const { run } = yield* Transactions
        const undone = (...changes: ReadonlyArray<Effect.Effect<unknown>>) =>
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
        yield* undone(store.enrol(campaign_id, [contact(campaign_id, 3)], { completed_seq: 9, row: 9 }))
        yield* undone(claim(1), settle(1, null))
        yield* undone(claim(1), claim(2), settle(1, 300))
        yield* undone(claim(1), release(1))
        yield* undone(claim(1))
        yield* undone(stop(1, 2))
        yield* undone(store.defer(campaign_id, [{ user_phone_number: number(1), due_at: 900, decision }]))
        yield* undone(store.setStopCursor(campaign_id, { completed_seq: 9, row: 9 }))
        yield* undone(store.dialled(campaign_id, now, 3))
        yield* undone(store.noteDials(scope, now, [number(1)]))
        assert.deepStrictEqual(yield* look, before)
        assert.deepStrictEqual(yield* store.find(campaign_id, number(1)), Option.some(contact(campaign_id, 1)))
        assert.deepStrictEqual(yield* store.find(campaign_id, number(3)), Option.none())
        assert.isTrue(yield* claim(1))
      }))
  })
