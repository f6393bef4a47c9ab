import { assert, describe, it } from "@effect/vitest"
import { openApi } from "@trunkline/http-api"
import { macroTask } from "@trunkline/kernel"
import { Effect, Fiber } from "effect"
import { openApiText, referenceText } from "../../src/openapi/PreparedDocument.js"
import { referencePieces } from "../../src/openapi/ReferencePage.js"

describe("the document that the server has ready", () => {
  it.effect("is that of the routes, which `npm run docs:openapi` writes, for any prefix", () =>
    Effect.gen(function*() {
      for (const prefix of ["/", "/voice", "/$&\"x"]) {
        assert.deepStrictEqual(JSON.parse(yield* openApiText(prefix)), JSON.parse(JSON.stringify(openApi(prefix))))
      }
    }))

  it.effect("becomes a page piece by piece, between which other work has its turn", () =>
    Effect.gen(function*() {
      let turns = 0
      const others = yield* Effect.fork(Effect.forever(Effect.zipRight(macroTask, Effect.sync(() => turns += 1))))
      const text = yield* referenceText
      yield* Fiber.interrupt(others)
      const pieces = [...referencePieces(openApi())]
      assert.strictEqual(text, pieces.join(""))
      assert.isAtLeast(turns, Math.floor(pieces.length / 10) - 1)
      assert.isAbove(turns, 10)
    }))
})
