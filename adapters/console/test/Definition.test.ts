import { assert, describe, it } from "@effect/vitest"
import { changesOf, readDefinition } from "../page/agents/definition.js"

describe("a definition in the console", () => {
  it("sets fields that are gone to their defaults", () => {
    assert.deepStrictEqual(changesOf({ prompt: "One", name: "Riya" }, { prompt: "Two" }), { name: null, prompt: "Two" })
  })

  it("is an object in JSON", () => {
    assert.deepStrictEqual(readDefinition("{\"prompt\":\"One\"}"), { prompt: "One" })
    for (const text of ["", "{", "[]", "null", "7"]) assert.isNull(readDefinition(text))
  })
})
