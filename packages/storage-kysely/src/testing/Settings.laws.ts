import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { Settings } from "../processes/Settings.js"

/** The laws of `Settings`, starting with none. */
export const settingsLaws = <E>(name: string, live: Layer.Layer<Settings, E>) =>
  layer(live)(`Settings laws: ${name}`, (it) => {
    it.effect("keep the first value of each key", () =>
      Effect.gen(function*() {
        const { keep } = yield* Settings
        const pairs = [["a", "first"], ["b", "other"], ["a", "second"], ["a", "first"], ["b", ""]] as const
        const results = yield* Effect.forEach(pairs, ([key, value]) => keep(key, value))
        assert.deepStrictEqual(results, ["first", "other", "first", "first", "other"])
      }))

    it.effect("keep one of the values that many give at once", () =>
      Effect.gen(function*() {
        const { keep } = yield* Settings
        const values = Array.from({ length: 20 }, (_, index) => `value ${index}`)
        const results = yield* Effect.forEach(values, (value) => keep("many", value), { concurrency: "unbounded" })
        assert.strictEqual(new Set(results).size, 1)
      }))
  })
