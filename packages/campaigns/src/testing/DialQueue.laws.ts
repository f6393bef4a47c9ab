import { assert, layer } from "@effect/vitest"
import type { Transactions } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Array, Effect, FastCheck, type Layer } from "effect"
import { hold } from "../contacts/GateResult.js"
import type { DispatchStores } from "../store/DispatchStores.js"
import { contactTransitionLaws } from "./ContactTransitions.laws.js"
import { dispatchRollbackLaws } from "./DispatchRollback.laws.js"
import { contact, enrolled, now, number, start } from "./Fixtures.js"

/** The laws of `DialQueue`. Every law has a campaign of its own, so rows may live as long as the layer. */
export const dialQueueLaws = <E>(name: string, live: Layer.Layer<DispatchStores | Transactions, E>) => {
  orderLaws(name, live)
  contactTransitionLaws(name, live)
  dispatchRollbackLaws(name, live)
}

const step = FastCheck.constantFrom("claim", "retry", "finish", "stop", "enrol", "release", "defer")

/** The law of the queue: only waiting contacts, by due time, then by enrolment. */
const orderLaws = <E>(name: string, live: Layer.Layer<DispatchStores, E>) =>
  layer(live)(`DialQueue order: ${name}`, (it) => {
    it.effect("returns due contacts by due time, then by enrolment, up to the limit", () =>
      Effect.gen(function*() {
        const { campaign_id, contacts, queue } = yield* enrolled("order", 9, 3, 5)
        const late = contact(campaign_id, 8, { due_at: 8_000_000_000_000.5 })
        yield* contacts.enrol(
          campaign_id,
          [late, contact(campaign_id, 7, { due_at: 50 }), contact(campaign_id, 1)],
          start
        )
        const ready = (at: number, limit: number) =>
          Effect.map(queue.ready(campaign_id, at, limit), (people) => people.map((one) => one.user_phone_number))
        assert.deepStrictEqual(yield* ready(49, 10), [])
        assert.deepStrictEqual(yield* ready(99, 10), [7].map(number))
        assert.deepStrictEqual(yield* ready(100, 10), [7, 9, 3, 5, 1].map(number))
        assert.deepStrictEqual(yield* ready(100, 3), [7, 9, 3].map(number))
        assert.deepStrictEqual(yield* queue.ready(campaign_id, 8_000_000_000_001, 10), [
          contact(campaign_id, 7, { due_at: 50 }),
          ...[9, 3, 5, 1].map((index) => contact(campaign_id, index)),
          late
        ])
        assert.strictEqual(yield* queue.nextDue(campaign_id), 50)
        assert.strictEqual(yield* queue.lastDue(campaign_id), 8_000_000_000_000.5)
      }))

    let runs = 0
    it.effect.prop(
      "counts each contact once and keeps the queue in order, through any transitions",
      [FastCheck.array(FastCheck.tuple(step, FastCheck.nat(3)), { maxLength: 40, size: "max" })],
      ([steps]) =>
        Effect.gen(function*() {
          const { campaign_id, claim, contacts, line, queue, release, settle, stop } = yield* enrolled(
            `any-${++runs}`,
            0,
            1,
            2,
            3
          )
          const waiting = new Map(Array.range(0, 3).map((index) => [index, 100]))
          const calling = new Map<number, number>()
          let finishCount = 0
          for (const [time, [step, index]] of steps.entries()) {
            const due = waiting.get(index)
            if (step === "claim") {
              assert.strictEqual(yield* claim(index), due !== undefined)
              if (due !== undefined) calling.set(index, due)
              waiting.delete(index)
            } else if (step === "stop") {
              yield* stop(index, 9, index)
              if (waiting.delete(index)) finishCount++
            } else if (step === "enrol") {
              yield* contacts.enrol(campaign_id, [contact(campaign_id, index)], start)
            } else if (step === "defer") {
              const due_at = 101 + (time % 3)
              const deferral = { user_phone_number: number(index), due_at, decision: hold("daily_cap", now, due_at) }
              yield* queue.defer(campaign_id, [deferral])
              if (due !== undefined) waiting.set(index, due_at)
            } else if (step === "release") {
              yield* release(index)
              const was = calling.get(index)
              if (calling.delete(index) && was !== undefined) waiting.set(index, was)
            } else {
              const due_at = step === "retry" ? 100 + (time % 3) : null
              yield* settle(index, due_at)
              if (!calling.delete(index)) continue
              if (due_at === null) finishCount++
              else waiting.set(index, due_at)
            }
          }
          assert.deepStrictEqual(yield* contacts.counts(campaign_id), {
            waiting: waiting.size,
            calling: calling.size,
            finished: finishCount
          })
          const order = [...waiting].sort(([a, dueA], [b, dueB]) => dueA - dueB || a - b).map(([index]) =>
            number(index)
          )
          assert.deepStrictEqual(yield* line, order)
        }),
      { fastCheck: { numRuns: propertyRuns(25) } }
    )
  })
