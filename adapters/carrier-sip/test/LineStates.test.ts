import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeLineState } from "../src/lines/LineStates.js"

describe("the state of a line", () => {
  it.effect("tells a server that does not answer from one that refuses", () =>
    Effect.gen(function*() {
      const { current, note } = makeLineState(null)
      assert.deepInclude(yield* current, { reachable: null, last_failure: null })
      yield* note("the registrar did not answer")
      assert.deepInclude(yield* current, { reachable: false })
      yield* note("the registrar refused with 403", true)
      const { last_failure, reachable } = yield* current
      assert.deepStrictEqual([reachable, last_failure?.reason], [true, "the registrar refused with 403"])
      yield* note(null)
      assert.deepInclude(yield* current, { reachable: true })
    }))
})
