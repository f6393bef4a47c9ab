import { assert, describe, it } from "@effect/vitest"
import { withAxes } from "../page/boards/settings.js"

const columns = ["connectivity_status", "calls", "minutes"]

describe("the settings of a new chart in the console", () => {
  it("take the axes from the columns of the query, where nobody has set them", () => {
    const axes = { x_axis: "connectivity_status", y_axis: ["calls", "minutes"] }
    assert.deepStrictEqual(withAxes("bar", {}, columns), axes)
    assert.deepStrictEqual(withAxes("line", { y_axis: ["minutes"] }, columns), { ...axes, y_axis: ["minutes"] })
  })

  it("stay as they are without columns, and for what has no axes", () => {
    assert.deepStrictEqual(withAxes("bar", { unit: "calls" }, []), { unit: "calls" })
    assert.deepStrictEqual(withAxes("table", {}, columns), {})
    assert.deepStrictEqual(withAxes("number", {}, columns), {})
  })
})
