import { assert, layer } from "@effect/vitest"
import { Transactions } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import { hold } from "../contacts/GateResult.js"
import type { DispatchStores } from "../store/DispatchStores.js"
import { contact, enrolled, now, number } from "./Fixtures.js"

/** The law of transactions: a failure rolls back every write. */
export const dispatchRollbackLaws = <E>(name: string, live: Layer.Layer<DispatchStores | Transactions, E>) =>
  layer(live)(`Dispatch rollback: ${name}`, (it) => {
    it.effect("rolls back contacts, queue, counts and cursors", () =>
      Effect.gen(function*() {
        const of = yield* enrolled("undone", 1, 2)
        const { campaign_id, claim, contacts, line, log, queue, release, scope, settle, stop } = of
        const { run } = yield* Transactions
        const rollback = (...changes: ReadonlyArray<Effect.Effect<unknown>>) =>
          Effect.flip(run(Effect.zipRight(Effect.all(changes, { discard: true }), Effect.fail("undone"))))
        const look = Effect.all([
          line,
          contacts.totals(campaign_id),
          contacts.cursor(campaign_id),
          contacts.stopCursor(campaign_id),
          log.minutes(campaign_id, 0),
          log.lastDial(campaign_id),
          log.onThePhone(scope, [number(1)]),
          log.dialsOf(scope, 0, [number(1)]),
          queue.nextDue(campaign_id),
          queue.lastDue(campaign_id)
        ])
        const before = yield* look
        const decision = hold("daily_cap", now, 900)
        yield* rollback(contacts.enrol(campaign_id, [contact(campaign_id, 3)], { completed_seq: 9, row: 9 }))
        yield* rollback(claim(1), settle(1, null))
        yield* rollback(claim(1), claim(2), settle(1, 300))
        yield* rollback(claim(1), release(1))
        yield* rollback(claim(1))
        yield* rollback(stop(1, 2))
        yield* rollback(queue.defer(campaign_id, [{ user_phone_number: number(1), due_at: 900, decision }]))
        yield* rollback(contacts.setStopCursor(campaign_id, { completed_seq: 9, row: 9 }))
        yield* rollback(log.addDials(campaign_id, now, 3))
        yield* rollback(log.recordDials(scope, now, [number(1)]))
        assert.deepStrictEqual(yield* look, before)
        assert.deepStrictEqual(yield* contacts.find(campaign_id, number(1)), Option.some(contact(campaign_id, 1)))
        assert.deepStrictEqual(yield* contacts.find(campaign_id, number(3)), Option.none())
        assert.isTrue(yield* claim(1))
      }))
  })
