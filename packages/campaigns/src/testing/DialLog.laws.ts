import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { CampaignStore } from "../campaign/CampaignStore.js"
import type { DispatchStores } from "../store/DispatchStores.js"
import { campaign, enrolled, number, scopeOf } from "./Fixtures.js"

const hour = 3_600_000
const day = 24 * hour
const noon = 20_000 * day + 12 * hour

/** The laws of `DialLog`. */
export const dialLogLaws = <E>(name: string, live: Layer.Layer<CampaignStore | DispatchStores, E>) =>
  layer(live)(`DialLog laws: ${name}`, (it) => {
    it.effect("counts dials by minute and reports the last one", () =>
      Effect.gen(function*() {
        const { campaign_id, log } = yield* enrolled("minutes")
        assert.isNull(yield* log.lastDial(campaign_id))
        for (const [at, dials] of [[0, 1], [59_999, 2], [60_000, 4], [185_000.5, 1]] as const) {
          yield* log.addDials(campaign_id, noon + at, dials)
        }
        yield* log.addDials(campaign_id, noon + 60_500, -4)
        assert.deepStrictEqual(yield* log.minutes(campaign_id, noon), [
          { minute: noon, dials: 3 },
          { minute: noon + 180_000, dials: 1 }
        ])
        assert.deepStrictEqual(yield* log.minutes(campaign_id, noon + 1), [{ minute: noon + 180_000, dials: 1 }])
        assert.strictEqual(yield* log.lastDial(campaign_id), noon + 185_000.5)
        const other = yield* enrolled("minutes-other")
        assert.deepStrictEqual(yield* log.minutes(other.campaign_id, 0), [])
      }))

    it.effect("counts the dials of a number by a workspace since a moment, for at least two days", () =>
      Effect.gen(function*() {
        const { log } = yield* enrolled("numbers")
        const [scope, other] = [scopeOf("numbers"), scopeOf("numbers-other")]
        const since = (moment: number, of = scope) =>
          Effect.map(log.dialsOf(of, moment, [1, 2, 3].map(number)), (counts) => [...counts].sort())
        yield* log.recordDials(scope, noon - 2 * day, [number(1)])
        yield* log.recordDials(scope, noon, [1, 2].map(number))
        yield* log.recordDials(scope, noon, [number(1)])
        yield* log.recordDials(other, noon, [number(3)])
        assert.deepStrictEqual(yield* since(noon), [[number(1), 2], [number(2), 1]])
        assert.deepStrictEqual(yield* since(noon - 2 * day), [[number(1), 3], [number(2), 1]])
        assert.deepStrictEqual(yield* since(noon + 1), [])
        yield* log.removeDial(scope, noon, number(2))
        yield* log.removeDial(scope, noon, number(1))
        yield* log.removeDial(scope, noon - 1, number(1))
        assert.deepStrictEqual(yield* since(noon), [[number(1), 1]])
        assert.deepStrictEqual(yield* since(noon, other), [[number(3), 1]])
        yield* log.recordDials(scope, noon + 10 * day, [number(1)])
        assert.deepStrictEqual(yield* since(noon + 9 * day), [[number(1), 1]])
      }))

    it.effect("reports a number as on the phone while a campaign of the workspace calls it", () =>
      Effect.gen(function*() {
        const { campaign_id, claim, log, scope, settle } = yield* enrolled("phone", 1, 2)
        yield* (yield* CampaignStore).put(scope, campaign(campaign_id))
        const talking = log.onThePhone(scope, [1, 2, 3].map(number))
        assert.deepStrictEqual(yield* talking, new Set())
        yield* claim(1)
        assert.deepStrictEqual(yield* talking, new Set([number(1)]))
        assert.deepStrictEqual(yield* log.onThePhone(scopeOf("phone-other"), [number(1)]), new Set())
        yield* settle(1, 900)
        assert.deepStrictEqual(yield* talking, new Set())
      }))
  })
