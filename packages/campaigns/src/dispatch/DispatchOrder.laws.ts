import { assert, layer } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Array, Effect, FastCheck, type Layer } from "effect"
import { hold } from "../gate/Decision.js"
import { contact, enrolled, now, number, start } from "./DispatchFixtures.js"
import type { DispatchStore } from "./DispatchStore.js"

const step = FastCheck.constantFrom("claim", "retry", "finish", "stop", "enrol", "release", "defer")

/** The law of the queue: whoever is due first comes first, then whoever was enrolled first, and nobody who does not wait. */
export const dispatchOrderLaws = <E>(name: string, live: Layer.Layer<DispatchStore, E>) =>
  layer(live)(`DispatchStore order: ${name}`, (it) => {
    let runs = 0
    it.effect.prop(
      "always counts everybody once, and holds the queue in order, whatever happens",
      [FastCheck.array(FastCheck.tuple(step, FastCheck.nat(3)), { maxLength: 40, size: "max" })],
      ([steps]) =>
        Effect.gen(function*() {
          const { campaign_id, claim, line, release, settle, stop, store } = yield* enrolled(
            `any-${++runs}`,
            0,
            1,
            2,
            3
          )
          const waiting = new Map(Array.range(0, 3).map((index) => [index, 100]))
          const calling = new Map<number, number>()
          let finished = 0
          for (const [time, [step, index]] of steps.entries()) {
            const due = waiting.get(index)
            if (step === "claim") {
              assert.strictEqual(yield* claim(index), due !== undefined)
              if (due !== undefined) calling.set(index, due)
              waiting.delete(index)
            } else if (step === "stop") {
              yield* stop(index, 9, index)
              if (waiting.delete(index)) finished++
            } else if (step === "enrol") {
              yield* store.enrol(campaign_id, [contact(campaign_id, index)], start)
            } else if (step === "defer") {
              const due_at = 101 + (time % 3)
              const deferral = { user_phone_number: number(index), due_at, decision: hold("daily_cap", now, due_at) }
              yield* store.defer(campaign_id, [deferral])
              if (due !== undefined) waiting.set(index, due_at)
            } else if (step === "release") {
              yield* release(index)
              const was = calling.get(index)
              if (calling.delete(index) && was !== undefined) waiting.set(index, was)
            } else {
              const due_at = step === "retry" ? 100 + (time % 3) : null
              yield* settle(index, due_at)
              if (!calling.delete(index)) continue
              if (due_at === null) finished++
              else waiting.set(index, due_at)
            }
          }
          assert.deepStrictEqual(yield* store.counts(campaign_id), {
            waiting: waiting.size,
            calling: calling.size,
            finished
          })
          const order = [...waiting].sort(([a, dueA], [b, dueB]) => dueA - dueB || a - b).map(([index]) =>
            number(index)
          )
          assert.deepStrictEqual(yield* line, order)
        }),
      { fastCheck: { numRuns: propertyRuns(25) } }
    )
  })
