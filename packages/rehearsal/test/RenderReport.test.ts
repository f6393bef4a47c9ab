import { assert, describe, it } from "@effect/vitest"
import { RehearsalReport, rehearse, renderReport } from "@trunkline/rehearsal"
import { Effect, Schema } from "effect"
import { formatBars, formatInteger, formatTable } from "../src/report/RenderReport.js"
import { after, allAnswer, campaignOf, options } from "./Fixtures.js"
import { small } from "./SmallRehearsal.js"

describe("RehearsalReport", () => {
  it.live("survives encoding and decoding", () =>
    Effect.gen(function*() {
      const report = yield* rehearse(small)
      const json = JSON.stringify(yield* Schema.encode(RehearsalReport)(report))
      assert.deepStrictEqual(yield* Schema.decode(Schema.parseJson(RehearsalReport))(json), report)
      assert.notMatch(json, /\+91/)
    }))

  it.live("has consistent sums", () =>
    Effect.gen(function*() {
      const report = yield* rehearse(small)
      const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, number) => total + number, 0)
      assert.strictEqual(report.people, 60)
      assert.strictEqual(sum(report.outcomes.map(({ calls }) => calls)), report.dials)
      assert.strictEqual(sum(report.calls_per_hour.map(({ dials }) => dials)), report.dials)
      assert.strictEqual(sum(report.hours_of_day.map(({ dials }) => dials)), report.dials)
      assert.strictEqual(sum(report.windows.map(({ dials }) => dials)), report.dials)
      const answered = report.outcomes.find(({ outcome }) => outcome === "answered")?.calls
      assert.strictEqual(sum(report.calls_per_hour.map(({ answers }) => answers)), answered)
      assert.strictEqual(sum(report.windows.map(({ answers }) => answers)), answered)
      assert.strictEqual(sum(report.reached.by_call), report.reached.people)
      assert.strictEqual(report.reached.people + report.never_reached.people, report.people)
      assert.strictEqual(sum(report.never_reached.causes.map(({ people }) => people)), report.never_reached.people)
      assert.isAtMost(report.peak_calls, 10)
    }))

  it.live("renders with the result first and lines short enough for a terminal", () =>
    Effect.gen(function*() {
      const text = renderReport(yield* rehearse(small))
      assert.include(text, "Rehearsal of a campaign with 60 people (seed small)")
      assert.match(text, /Finished: all contacts are done\. The last call ends at \w{3} 2026-03-0\d \d\d:/)
      assert.match(text, /\n {2}answered +\d+ +\d+\.\d % {2}#+\n/)
      assert.include(text, "Never reached: ")
      assert.isTrue(text.endsWith("\n"))
      assert.deepStrictEqual(text.split("\n").filter((line) => line.length > 120), [])
    }))

  it.live("renders a clear notice when the campaign does not finish", () =>
    Effect.gen(function*() {
      const campaign = campaignOf({ rate: 0.1, end: after(0.1) })
      const text = renderReport(yield* rehearse(options({ contacts: 100, callees: allAnswer, campaign })))
      assert.include(text, "NOT finished: 64 of 100 people still wait for a call when the campaign ends.")
      assert.include(text, "still waiting at the end")
    }))
})

describe("text formatting", () => {
  it("rounds numbers and groups digits by thousands", () => {
    assert.deepStrictEqual([0, 999.6, 1_234_567].map(formatInteger), ["0", "1,000", "1,234,567"])
  })

  it("aligns numbers to the right and other cells to the left", () => {
    assert.deepStrictEqual(formatTable([["a", "dials"], ["bcd", "1,000"], ["e", "7"]]), [
      "  a    dials",
      "  bcd  1,000",
      "  e        7"
    ])
  })

  it("draws the longest bar with 40 characters, and at least one for values above 0", () => {
    assert.deepStrictEqual(formatBars([["x", 1_000, "1 %"], ["yy", 1, "10 %"], ["z", 0, ""]]), [
      `  x   1,000   1 %  ${"#".repeat(40)}`,
      "  yy      1  10 %  #",
      "  z       0"
    ])
  })
})
