import { assert, describe, it } from "@effect/vitest"
import { Responses } from "@trunkline/responses"
import { Effect } from "effect"
import { bodyWith, scripted } from "./Fixtures.js"

const read = (more: object) => Effect.flatMap(Responses, (responses) => responses.read(bodyWith(more)))

const formless = [{ text: {} }, { text: { format: null } }, { text: { verbosity: "low" } }]

describe("text without a format", () => {
  it.effect("is rejected by default", () =>
    Effect.gen(function*() {
      for (const more of formless) {
        const failure = yield* Effect.flip(read(more))
        assert.deepStrictEqual(
          failure._tag === "Invalid" ? failure.issues.map(({ loc }) => loc) : [],
          [["body", "text", "format"]]
        )
      }
    }).pipe(Effect.provide(scripted())))

  it.effect("is plain text when the option is `plain`", () =>
    Effect.gen(function*() {
      const plain = yield* read({})
      for (const more of formless) assert.deepStrictEqual(yield* read(more), plain)
    }).pipe(Effect.provide(scripted({}, { textWithoutFormat: "plain" }))))

  it.effect("is the only thing that the option changes", () =>
    Effect.gen(function*() {
      const { echo } = yield* read({ text: { format: { type: "json_object" } } })
      assert.deepStrictEqual(echo.text, { format: { type: "json_object" } })
      for (const text of ["plain", 7, [], { format: {} }, { format: "text" }]) {
        assert.strictEqual((yield* Effect.flip(read({ text })))._tag, "Invalid", JSON.stringify(text))
      }
    }).pipe(Effect.provide(scripted({}, { textWithoutFormat: "plain" }))))
})
