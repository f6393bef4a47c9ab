import { assert, describe, it } from "@effect/vitest"
import type { MailContent, Report } from "@trunkline/notifications"
import { DateTime, Effect, FastCheck } from "effect"
import { renderMail } from "../../src/reports/ReportMail.js"
import { gridOf, reportOf, resultOf, timeout } from "./Fixture.js"

const subject = (change: Partial<Report>) =>
  Effect.map(renderMail(reportOf(gridOf(1, 1), change)), (mail) => mail.subject)

const tagsOf = ({ html }: MailContent) => html.match(/<[^>]*>?/g) ?? []

const count = (text: string, part: RegExp) => text.match(part)?.length ?? 0

describe("the subject of a report's mail", () => {
  it.effect("names the board, the rule or else the widget, and the minute in India", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* subject({}), "[Daily] Calls per day, 2026-07-01 09:00 IST")
      assert.strictEqual(yield* subject({ rule_name: "Morning" }), "[Daily] Morning, 2026-07-01 09:00 IST")
      assert.strictEqual(yield* subject({ rule_name: " " }), "[Daily] Calls per day, 2026-07-01 09:00 IST")
      const run_at = DateTime.unsafeMake("2026-12-31T18:30:00Z")
      assert.strictEqual(yield* subject({ run_at }), "[Daily] Calls per day, 2027-01-01 00:00 IST")
    }))

  it.effect("is one printable line and keeps joiners of Indian scripts", () =>
    Effect.gen(function*() {
      const names = { board_name: "A\r\nBcc: x@example.in", rule_name: "क्\u200dष\u0000 \u202eb\u2028c" }
      assert.strictEqual(yield* subject(names), "[A Bcc: x@example.in] क्\u200dष b c, 2026-07-01 09:00 IST")
    }))

  it.effect("is limited to a few hundred characters without splitting characters", () =>
    Effect.gen(function*() {
      const long = yield* subject({ board_name: "क्षि".repeat(5_000), rule_name: "👩🏽‍🚀".repeat(5_000) })
      assert.isBelow(long.length, 400)
      assert.match(long, /^\[(?:क्षि)+…\] (?:👩🏽‍🚀)+…, 2026-07-01 09:00 IST$/u)
    }))
})

describe("renderMail", () => {
  it.effect("shows a result as a table in plain text and HTML", () =>
    Effect.gen(function*() {
      const mail = yield* renderMail(reportOf(resultOf(["day", "कॉल", "rate"], [
        ["2026-06-30", 1234567, 0.12345],
        ["2026-07-01", 42, null],
        ["日本", 9999.5, 1]
      ])))
      assert.strictEqual(
        mail.text,
        [
          "Calls per day",
          "Daily · 2026-07-01 09:00 IST",
          "",
          "day               कॉल   rate",
          "----------  ---------  -----",
          "2026-06-30  12,34,567  0.123",
          "2026-07-01         42      –",
          "日本           9999.5      1",
          "",
          "3 rows.",
          "",
          "The attached file has 3 rows with every column."
        ].join("\n")
      )
      for (const shown of ["12,34,567", "0.123", ">–<", "कॉल", "Daily · 2026-07-01 09:00 IST", "3 rows."]) {
        assert.include(mail.html, shown)
      }
    }))

  it.effect("groups numbers the Indian way, but not years and identifiers", () =>
    Effect.gen(function*() {
      const shown = {
        calls: [[100000, "1,00,000"], [-12345678.5, "-1,23,45,678.5"], [9999, "9999"], [0, "0"], [
          0.000123,
          "0.000123"
        ]],
        year: [[20260, "20260"]],
        app_id: [[1234567, "1234567"]],
        phone: [[919876543210, "919876543210"]],
        cost: [[1 / 3, "0.333"], [1e21, "1e+21"], [12.3456, "12.35"]]
      } as const
      for (const [column, values] of Object.entries(shown)) {
        for (const [value, text] of values) {
          const { html } = yield* renderMail(reportOf(resultOf([column, "x"], [[value, "y"]])))
          assert.include(html, `>${text}</td>`)
        }
      }
    }))

  it.effect("shows 50 rows and 12 columns, and of how many", () =>
    Effect.gen(function*() {
      const whole = yield* renderMail(reportOf(gridOf(50, 12)))
      assert.include(whole.text, "50 rows.")
      assert.notInclude(whole.text, "Showing")
      const more = yield* renderMail(reportOf({ ...gridOf(1_234, 13), truncated: true }))
      for (const text of [more.text, more.html]) {
        assert.include(text, "Showing 50 of 1,234 rows. Showing 12 of 13 columns. The result was cut after 1,234 rows")
        assert.include(text, "r50c12.")
        assert.notInclude(text, "r51c1.")
        assert.notInclude(text, "r1c13.")
      }
      assert.strictEqual(count(more.html, /<td /g), 50 * 12 + 1)
      const file = new TextDecoder().decode(more.attachments[0]?.content)
      assert.include(file, "r1234c13.")
    }))

  it.effect("stays below Gmail's clipping size by truncating cells", () =>
    Effect.gen(function*() {
      const huge = resultOf(
        Array.from({ length: 40 }, (_, index) => `${index}`.repeat(500)),
        Array.from({ length: 500 }, () => Array<string>(40).fill("अ".repeat(5_000)))
      )
      const mail = yield* renderMail(reportOf(huge))
      assert.isBelow(new TextEncoder().encode(mail.html).length, 102_000)
      assert.strictEqual(count(mail.html, /<td /g), 50 * 12 + 1)
    }))

  it.effect("states that there are no rows, and attaches the column names", () =>
    Effect.gen(function*() {
      for (const viz_type of ["table", "number"] as const) {
        const mail = yield* renderMail(reportOf(resultOf(["day", "calls"], []), { viz_type }))
        assert.include(mail.text, "0 rows: the query ran and found nothing.")
        assert.include(mail.html, "0 rows: the query ran and found nothing.")
        assert.strictEqual(new TextDecoder().decode(mail.attachments[0]?.content), "day,calls\r\n")
      }
    }))

  it.effect("shows a single value in large type, and the table when there is more", () =>
    Effect.gen(function*() {
      const alone = yield* renderMail(reportOf(resultOf(["calls"], [[1234567]]), { viz_type: "number" }))
      assert.match(alone.html, /font-size:40px[^>]*>12,34,567</)
      assert.include(alone.text, "calls: 12,34,567")
      assert.notInclude(alone.html, "<th")
      const wide = resultOf(["day", "calls"], [["Monday", 7], ["Tuesday", 8]])
      const numberWidget = { viz_type: "number", viz_config: { value_column: "calls" } } as const
      const more = yield* renderMail(reportOf(wide, numberWidget))
      assert.match(more.html, /font-size:40px[^>]*>7</)
      assert.include(more.html, ">Tuesday</td>")
      const unknown = yield* renderMail(reportOf(wide, { ...numberWidget, viz_config: { value_column: "gone" } }))
      assert.match(unknown.html, /font-size:40px[^>]*>Monday</)
    }))

  it.effect("shows a chart above the table, with a text alternative", () =>
    Effect.gen(function*() {
      const chart = Uint8Array.from([137, 80, 78, 71])
      const { attachments, html } = yield* renderMail(reportOf(gridOf(2, 2), { rule_name: "\"Morning\" <b>" }), {
        chart
      })
      assert.deepStrictEqual(attachments[0], {
        filename: "Calls per day.png",
        content: chart,
        contentType: "image/png",
        cid: "chart-run-1@trunkline"
      })
      assert.include(html, "alt=\"Chart of &quot;Morning&quot; &lt;b&gt;. Its figures are in the table.\"")
      assert.include(html, "src=\"cid:chart-run-1@trunkline\"")
      assert.isBelow(html.indexOf("<img"), html.indexOf("r1c1"))
    }))

  it.effect("reports a failed widget with its error and next step, without attachments", () =>
    Effect.gen(function*() {
      const mail = yield* renderMail(reportOf(timeout, { rule_name: "Morning" }), { chart: new Uint8Array(4) })
      assert.strictEqual(mail.subject, "[Daily] Morning, 2026-07-01 09:00 IST")
      for (
        const content of ["Morning", "Daily", "2026-07-01 09:00 IST", "TIMEOUT", timeout.message, "Narrow the dates"]
      ) {
        assert.include(mail.text, content)
        assert.include(mail.html, content)
      }
      assert.deepStrictEqual(mail.attachments, [])
    }))

  it.effect("has a next step for every code", () =>
    Effect.gen(function*() {
      const next = (code: string) =>
        Effect.map(renderMail(reportOf({ code, message: "" })), ({ text }) => text.slice(text.indexOf("Next step")))
      assert.include(yield* next("MISSING_FILTER_VALUE"), "defaults")
      assert.include(yield* next("INTERNAL"), "later")
      assert.include(yield* next("INVALID_SQL"), "Correct the SQL")
    }))

  it.effect("loads no external resources", () =>
    Effect.gen(function*() {
      const cells = resultOf(["a"], [["<img src=http://x>"]])
      const mail = yield* renderMail(reportOf(cells), { chart: new Uint8Array(1) })
      const loading = tagsOf(mail).filter((tag) => /src|href|url|background|@import/.test(tag))
      assert.deepStrictEqual(loading.map((tag) => tag.slice(0, 38)), ["<img src=\"cid:chart-run-1@trunkline\" a"])
    }))

  it.effect.prop(
    "contains no tags from data",
    [
      FastCheck.string({
        unit: FastCheck.constantFrom("<", ">", "&", "\"", "'", "/", "b", "=", " ", "\n", "-", "!", "अ")
      }),
      FastCheck.boolean()
    ],
    ([text, fails]) =>
      Effect.gen(function*() {
        const reportWith = (content: string) =>
          renderMail(
            reportOf(fails ? { code: content, message: content } : resultOf([content, content], [[content, null]]), {
              board_name: content,
              rule_name: content,
              widget_name: content
            })
          )
        const tags = tagsOf(yield* reportWith(text))
        assert.deepStrictEqual(tags, tagsOf(yield* reportWith("plain")))
      })
  )
})
