import { assert, layer } from "@effect/vitest"
import { Array, Effect, FastCheck, type Layer, Option } from "effect"
import { contact, enrolled, number, start } from "./DispatchFixtures.js"
import type { DispatchStore } from "./DispatchStore.js"

const step = FastCheck.constantFrom("claim", "retry", "finish", "stop", "enrol")

/** The law of the line: whoever is due first comes first, then whoever came first, and nobody who was stopped. */
export const dispatchOrderLaws = <E>(name: string, live: Layer.Layer<DispatchStore, E>) =>
  layer(live)(`DispatchStore order: ${name}`, (it) => {
    let runs = 0
    it.effect.prop(
      "always counts everybody once, and holds the line in order, whatever happens",
      [FastCheck.array(FastCheck.tuple(step, FastCheck.nat(3)))],
      ([steps]) =>
        Effect.gen(function*() {
          const { campaign_id, claim, next, settle, store } = yield* enrolled(`any-${++runs}`, 0, 1, 2, 3)
          const line = Array.range(0, 3).map((index) => ({ index, due: 100 }))
          const calling = new Set<number>()
          let finished = 0
          for (const [time, [step, index]] of steps.entries()) {
            if (step === "claim") {
              const place = line.findIndex((one) => one.index === index)
              assert.strictEqual(yield* claim(index), place >= 0)
              if (place >= 0) {
                line.splice(place, 1)
                calling.add(index)
              }
            } else if (step === "stop") {
              yield* store.stop(campaign_id, [number(index), number(9), number(index)])
              const place = line.findIndex((one) => one.index === index)
              finished += line.splice(place, place < 0 ? 0 : 1).length
            } else if (step === "enrol") {
              yield* store.enrol(campaign_id, [contact(campaign_id, index)], start)
            } else {
              const due = step === "retry" ? 100 + (time % 3) : null
              yield* settle(index, due)
              if (!calling.delete(index)) continue
              if (due === null) finished++
              else line.splice(line.filter((one) => one.due <= due).length, 0, { index, due })
            }
          }
          assert.deepStrictEqual(yield* store.counts(campaign_id), {
            waiting: line.length,
            calling: calling.size,
            finished
          })
          assert.deepStrictEqual(yield* next, Option.map(Array.head(line), ({ index }) => number(index)))
        }),
      { fastCheck: { numRuns: 25 } }
    )
  })
