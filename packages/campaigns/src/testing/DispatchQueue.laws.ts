import { assert, layer } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Array, Effect, FastCheck, type Layer } from "effect"
import { CampaignStore } from "../campaign/CampaignStore.js"
import { hold } from "../contacts/GateResult.js"
import type { DispatchStore } from "../store/DispatchStore.js"
import { campaign, contact, enrolled, now, number, scopeOf, start } from "./Fixtures.js"

const step = FastCheck.constantFrom("claim", "retry", "finish", "stop", "enrol", "release", "defer")

/** The law of the queue: only waiting contacts, by due time, then by enrolment. */
export const dispatchQueueLaws = <E>(name: string, live: Layer.Layer<DispatchStore, E>) =>
  layer(live)(`DispatchStore queue: ${name}`, (it) => {
    let runs = 0
    it.effect.prop(
      "counts each contact once and keeps the queue in order, through any transitions",
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

const hour = 3_600_000
const day = 24 * hour
const noon = 20_000 * day + 12 * hour

/** The laws of recorded dials. */
export const dialCountLaws = <E>(name: string, live: Layer.Layer<CampaignStore | DispatchStore, E>) =>
  layer(live)(`DispatchStore dials: ${name}`, (it) => {
    it.effect("counts dials by minute and reports the last one", () =>
      Effect.gen(function*() {
        const { campaign_id, store } = yield* enrolled("minutes")
        assert.isNull(yield* store.lastDial(campaign_id))
        for (const [at, dials] of [[0, 1], [59_999, 2], [60_000, 4], [185_000.5, 1]] as const) {
          yield* store.addDials(campaign_id, noon + at, dials)
        }
        yield* store.addDials(campaign_id, noon + 60_500, -4)
        assert.deepStrictEqual(yield* store.minutes(campaign_id, noon), [
          { minute: noon, dials: 3 },
          { minute: noon + 180_000, dials: 1 }
        ])
        assert.deepStrictEqual(yield* store.minutes(campaign_id, noon + 1), [{ minute: noon + 180_000, dials: 1 }])
        assert.strictEqual(yield* store.lastDial(campaign_id), noon + 185_000.5)
        const other = yield* enrolled("minutes-other")
        assert.deepStrictEqual(yield* store.minutes(other.campaign_id, 0), [])
      }))

    it.effect("counts the dials of a number by a workspace since a moment, for at least two days", () =>
      Effect.gen(function*() {
        const { store } = yield* enrolled("numbers")
        const [scope, other] = [scopeOf("numbers"), scopeOf("numbers-other")]
        const since = (moment: number, of = scope) =>
          Effect.map(store.dialsOf(of, moment, [1, 2, 3].map(number)), (counts) => [...counts].sort())
        yield* store.recordDials(scope, noon - 2 * day, [number(1)])
        yield* store.recordDials(scope, noon, [1, 2].map(number))
        yield* store.recordDials(scope, noon, [number(1)])
        yield* store.recordDials(other, noon, [number(3)])
        assert.deepStrictEqual(yield* since(noon), [[number(1), 2], [number(2), 1]])
        assert.deepStrictEqual(yield* since(noon - 2 * day), [[number(1), 3], [number(2), 1]])
        assert.deepStrictEqual(yield* since(noon + 1), [])
        yield* store.removeDial(scope, noon, number(2))
        yield* store.removeDial(scope, noon, number(1))
        yield* store.removeDial(scope, noon - 1, number(1))
        assert.deepStrictEqual(yield* since(noon), [[number(1), 1]])
        assert.deepStrictEqual(yield* since(noon, other), [[number(3), 1]])
        yield* store.recordDials(scope, noon + 10 * day, [number(1)])
        assert.deepStrictEqual(yield* since(noon + 9 * day), [[number(1), 1]])
      }))

    it.effect("reports a number as on the phone while a campaign of the workspace calls it", () =>
      Effect.gen(function*() {
        const { campaign_id, claim, scope, settle, store } = yield* enrolled("phone", 1, 2)
        yield* (yield* CampaignStore).put(scope, campaign(campaign_id))
        const talking = store.onThePhone(scope, [1, 2, 3].map(number))
        assert.deepStrictEqual(yield* talking, new Set())
        yield* claim(1)
        assert.deepStrictEqual(yield* talking, new Set([number(1)]))
        assert.deepStrictEqual(yield* store.onThePhone(scopeOf("phone-other"), [number(1)]), new Set())
        yield* settle(1, 900)
        assert.deepStrictEqual(yield* talking, new Set())
      }))
  })
