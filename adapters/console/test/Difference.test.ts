import { assert, describe, it } from "@effect/vitest"
import { differenceOf, shortOf } from "../page/agents/difference.js"

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`)

describe("the differences of two versions in the console", () => {
  it("leave out what is the same, but for some lines around each change", () => {
    const before = lines(40)
    const after = before.with(20, "changed")
    const shown = shortOf(differenceOf(before.join("\n"), after.join("\n")))
    assert.deepStrictEqual(shown.map(({ kind, text }) => `${kind} ${text}`), [
      "left out 17 lines",
      "same line 17",
      "same line 18",
      "same line 19",
      "removed line 20",
      "added changed",
      "same line 21",
      "same line 22",
      "same line 23",
      "left out 16 lines"
    ])
  })

  it("are empty for two that are alike", () => {
    assert.deepStrictEqual(shortOf(differenceOf("a\nb", "a\nb")), [])
  })
})
