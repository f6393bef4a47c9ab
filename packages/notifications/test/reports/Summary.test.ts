import { assert, describe, it } from "@effect/vitest"
import type { Report } from "@trunkline/notifications"
import { DateTime, Effect } from "effect"
import { renderMail } from "../../src/reports/ReportMail.js"
import { figureOf, summaryOf } from "../../src/reports/Summary.js"
import { gridOf, reportOf, resultOf, timeout } from "./Fixture.js"

const ended = resultOf(["outcome", "calls"], [["connected", 41], ["no_answer", 12], ["busy", 8]])
const bars = { viz_type: "bar", viz_config: { x_axis: "outcome", y_axis: ["calls"] } } as const
const last = (name: string, value: number) => ({
  last: { name, value, run_at: DateTime.unsafeMake("2026-06-30T03:30:00Z") }
})

const sentences = (outcome: Report["outcome"], change: Partial<Report> = {}) => summaryOf(reportOf(outcome, change))
const valueIn = (outcome: Report["outcome"], change: Partial<Report> = {}) => figureOf(reportOf(outcome, change))?.value

describe("the summary of a report", () => {
  const inAll = "calls: 61 in all; the highest is Connected with 41, the lowest Busy with 8."

  it("has the total of counts, and their highest and lowest with labels for people", () => {
    assert.deepStrictEqual(sentences(ended, bars), [inAll])
    assert.deepStrictEqual(sentences(ended), [inAll])
    assert.deepStrictEqual(sentences(resultOf(["app_id", "outcome", "calls"], [[7, "a", 3], [9, "b", 3]])), [
      "calls: 6 in all."
    ])
  })

  it("adds up no shares, and says nothing about cut results, failures and tables without counts", () => {
    const shares = resultOf(["day", "answered %"], [["2026-06-30", 41.5], ["2026-07-01", 50]])
    const line = { viz_type: "line", viz_config: { x_axis: "day", y_axis: ["answered %"] } } as const
    assert.deepStrictEqual(sentences(shares, line), [
      "answered %: the highest is 1 Jul with 50, the lowest 30 Jun with 41.5."
    ])
    for (const silent of [{ ...ended, truncated: true }, timeout, gridOf(3, 3), resultOf(["calls"], []), shares]) {
      assert.deepStrictEqual(sentences(silent), [])
      assert.isUndefined(valueIn(silent))
    }
  })

  it("states the change against the last report", () => {
    const before = "the last report, of 2026-06-30 09:00 IST, which had"
    assert.deepStrictEqual(sentences(ended, { ...bars, ...last("calls", 50) })[1], `+11 (+22 %) against ${before} 50.`)
    assert.deepStrictEqual(sentences(ended, last("calls", 61))[1], `No change against ${before} 61.`)
    assert.deepStrictEqual(sentences(ended, last("cost", 50)), [inAll])
    const number = { viz_type: "number", ...last("calls", 80) } as const
    assert.deepStrictEqual(sentences(resultOf(["calls"], [[64]]), number), [`−16 (−20 %) against ${before} 80.`])
  })

  it("states the change of a number against the period before", () => {
    const days = resultOf(["day", "calls"], [["2026-07-01", 64], ["2026-06-30", 52]])
    const trend = { viz_type: "number", viz_config: { x_axis: "day", value_column: "calls" } } as const
    assert.deepStrictEqual(sentences(days, trend), ["+12 (+23 %) against 30 Jun."])
    assert.strictEqual(valueIn(days, trend), 64)
  })

  it.effect("is in the mail above its table, as text and in HTML", () =>
    Effect.gen(function*() {
      const mail = yield* renderMail(reportOf(ended, bars))
      for (const text of [mail.text, mail.html]) {
        assert.isAbove(text.indexOf(inAll), 0)
        assert.isBelow(text.indexOf(inAll), text.indexOf("no_answer"))
      }
    }))
})

describe("the page of a mail", () => {
  it.effect("is as wide as the window, and dark where the screen is", () =>
    Effect.gen(function*() {
      const { html } = yield* renderMail(reportOf(ended, bars), { chart: new Uint8Array(1) })
      assert.notMatch(html, /max-width/)
      assert.match(html, /<img [^>]*width="100%"/)
      assert.match(html, /<table width="100%"/)
      assert.include(html, "@media (prefers-color-scheme: dark)")
    }))

  it.effect("shows the chart of a number as a tile", () =>
    Effect.gen(function*() {
      const number = reportOf(resultOf(["calls"], [[64]]), { viz_type: "number" })
      const { html } = yield* renderMail(number, { chart: new Uint8Array(1) })
      assert.match(html, /<img [^>]*width="400"[^>]*max-width:400px/)
    }))

  it.effect("links to its board, also when the widget failed", () =>
    Effect.gen(function*() {
      const boardUrl = "https://calls.example.in/?a=1&board=b"
      for (const outcome of [ended, timeout]) {
        const mail = yield* renderMail(reportOf(outcome), { boardUrl })
        assert.include(mail.html, "<a href=\"https://calls.example.in/?a=1&amp;board=b\">Open the board</a>")
        assert.isTrue(mail.text.endsWith(`The board: ${boardUrl}`))
        assert.notInclude((yield* renderMail(reportOf(outcome))).html, "<a ")
      }
    }))
})
