import { assert, describe, it } from "@effect/vitest"
import { chartOf, labelOfName, labelsOfTexts } from "@trunkline/charts"
import { Either } from "effect"

describe("labels for people", () => {
  it("write codes as words, with the first letter in capitals", () => {
    assert.deepStrictEqual(labelsOfTexts("outcome", ["no_answer", "busy"]), ["No answer", "Busy"])
    assert.deepStrictEqual(labelsOfTexts("outcome", ["connected", "other"]), ["Connected", "Other"])
    assert.deepStrictEqual(labelsOfTexts("ended", ["USER_ENDS", "AGENT_ENDS"]), ["User ends", "Agent ends"])
  })

  it("leave texts that are not all codes, identifiers, and codes that would become equal", () => {
    const raw = [
      ["outcome", "no_answer", "No answer"],
      ["answer", "yes", "no"],
      ["app_id", "first_call"],
      [
        "campaign_name",
        "june_2026"
      ],
      ["code", "a_b", "A_B"],
      ["x", "no_answer", "__proto__"]
    ]
    for (const [column = "", ...texts] of raw) assert.deepStrictEqual(labelsOfTexts(column, texts), texts)
  })

  it("write names of columns as words only when they are joined by underscores", () => {
    assert.deepStrictEqual(["retry_attempt", "calls", "answered %", "Per_Day", "_a"].map(labelOfName), [
      "Retry attempt",
      "calls",
      "answered %",
      "Per_Day",
      "_a"
    ])
  })

  it("are on the axis and in the names of a chart, while messages keep the names of the columns", () => {
    const request = {
      title: "",
      viz_type: "bar",
      viz_config: { x_axis: "call_status", y_axis: ["calls_made", "Calls made"] },
      table: {
        columns: ["call_status", "calls_made", "Calls made"].map((name) => ({ name })),
        rows: [["no_answer", 1, 2], [null, 3, 4], ["busy", 5, 6]]
      }
    } as const
    const chart = Either.getOrThrow(chartOf(request))
    assert.deepNestedInclude(chart, { "x.name": "Call status", "x.labels": ["No answer", "–", "Busy"] })
    assert.deepNestedInclude(chart, { "series[0].name": "Calls made", "series[1].name": "Calls made (2)" })
    const without = { ...request, table: { ...request.table, rows: [["busy", "many", null]] } }
    assert.include(Either.getOrThrow(Either.flip(chartOf(without))).message, "\"calls_made\"")
  })

  it("stay away from columns that hold numbers as well", () => {
    const table = { columns: [{ name: "x" }, { name: "y" }], rows: [["no_answer", 1], [2, 2]] }
    const chart = Either.getOrThrow(
      chartOf({ title: "", viz_type: "bar", viz_config: { x_axis: "x", y_axis: ["y"] }, table })
    )
    assert.deepNestedInclude(chart, { "x.labels": ["no_answer", "2"] })
  })
})
