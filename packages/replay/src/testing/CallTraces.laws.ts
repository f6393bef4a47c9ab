import { assert, layer } from "@effect/vitest"
import { AttemptId, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import { CallTraces } from "../trace/CallTraces.js"

const scopeOf = (name: string) => new Scope({ org_id: OrgId.make("laws"), workspace_id: WorkspaceId.make(name) })
const idOf = (number: number) => AttemptId.make(`00000000-0000-7000-8000-00000000000${number}`)

/** The laws of `CallTraces`. */
export const callTracesLaws = <E>(name: string, live: Layer.Layer<CallTraces, E>) =>
  layer(live)(`CallTraces laws: ${name}`, (it) => {
    it.effect("reads back what was kept, and the newest of two", () =>
      Effect.gen(function*() {
        const { find, keep } = yield* CallTraces
        yield* keep(scopeOf("one"), idOf(1), "first\n")
        yield* keep(scopeOf("one"), idOf(1), "second, नमस्ते\n")
        assert.deepStrictEqual(yield* find(scopeOf("one"), idOf(1)), Option.some("second, नमस्ते\n"))
      }))

    it.effect("has none of another call and of another workspace", () =>
      Effect.gen(function*() {
        const { find, keep } = yield* CallTraces
        yield* keep(scopeOf("two"), idOf(2), "text")
        assert.isTrue(Option.isNone(yield* find(scopeOf("two"), idOf(3))))
        assert.isTrue(Option.isNone(yield* find(scopeOf("three"), idOf(2))))
      }))

    it.effect("removes one, and those that are not there", () =>
      Effect.gen(function*() {
        const { find, keep, remove } = yield* CallTraces
        yield* keep(scopeOf("four"), idOf(4), "text")
        yield* keep(scopeOf("four"), idOf(5), "other")
        yield* remove(scopeOf("four"), idOf(4))
        yield* remove(scopeOf("four"), idOf(4))
        assert.isTrue(Option.isNone(yield* find(scopeOf("four"), idOf(4))))
        assert.deepStrictEqual(yield* find(scopeOf("four"), idOf(5)), Option.some("other"))
      }))
  })
