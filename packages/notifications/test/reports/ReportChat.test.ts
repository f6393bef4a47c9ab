import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { renderChat, withoutBlocks } from "../../src/reports/ReportChat.js"
import { gridOf, reportOf, resultOf, timeout } from "./Fixture.js"

const fence = "```"

describe("renderChat", () => {
  it("has a title, the run time, and the rows in fixed width", () => {
    const message = renderChat(reportOf(resultOf(["day", "भाषा", "calls"], [
      ["2026-06-30", "हिन्दी", 1234567],
      ["2026-07-01", "日本", null]
    ])))
    const table = [
      fence,
      "day         भाषा       calls",
      "----------  -----  ---------",
      "2026-06-30  हिन्दी  12,34,567",
      "2026-07-01  日本           –",
      fence
    ].join("\n")
    assert.deepStrictEqual(message, {
      text: `[Daily] Calls per day\n2026-07-01 09:00 IST\n${table}`,
      blocks: [
        { type: "header", text: { type: "plain_text", text: "[Daily] Calls per day" } },
        { type: "context", elements: [{ type: "mrkdwn", text: "2026-07-01 09:00 IST", verbatim: true }] },
        { type: "section", text: { type: "mrkdwn", text: table, verbatim: true } }
      ]
    })
    assert.deepStrictEqual(withoutBlocks(message), { text: message.text })
  })

  it("shows 20 rows, and how many more rows and columns there are", () => {
    const { blocks, text } = renderChat(reportOf({ ...gridOf(1_234, 13), truncated: true }))
    assert.include(text, "r20c1.")
    assert.notInclude(text, "r21c1.")
    assert.include(text, "1,214 more rows · 2 more columns · The result was cut after 1,234 rows")
    assert.include(JSON.stringify(blocks), "1,214 more rows")
    assert.notInclude(renderChat(reportOf(gridOf(20, 2))).text, "more")
    assert.include(renderChat(reportOf(gridOf(21, 2))).text, "1 more row")
  })

  it("keeps all of 20 rows by truncating cells, and drops columns that do not fit side by side", () => {
    const long = resultOf(
      Array.from({ length: 12 }, (_, index) => `column ${index + 1}`),
      Array.from({ length: 20 }, (_, index) => Array<string>(12).fill(`${index}. ${"long & longer ".repeat(20)}`))
    )
    const { text } = renderChat(reportOf(long))
    assert.include(text, "\n19. ")
    assert.match(text, /\d more columns/)
    assert.isTrue(text.split("\n").every((line) => line.replaceAll("&amp;", "&").length <= 110))
  })

  it("contains no mentions, links or code fences from data", () => {
    const { text } = renderChat(
      reportOf(resultOf(["<!channel>"], [["``` <https://x|y> & `z`"]]), { rule_name: "<@U1> `a`" })
    )
    assert.strictEqual(text.split(fence).length, 3)
    assert.notMatch(text.replaceAll(fence, ""), /[<>`]|&(?!amp;|lt;|gt;)/)
  })

  it("states that there are no rows", () => {
    assert.include(renderChat(reportOf(resultOf(["a"], []))).text, "0 rows: the query ran and found nothing.")
  })

  it("reports a failed widget with its error and next step", () => {
    const { blocks, text } = renderChat(reportOf({ ...timeout, message: "<b> & `c`" }))
    for (
      const content of ["[Daily] Calls per day", "Code: TIMEOUT", "Message: &lt;b&gt; &amp; ˋcˋ", "Next step: Narrow"]
    ) {
      assert.include(text, content)
    }
    assert.lengthOf(blocks ?? [], 5)
  })

  it("truncates a long title to 150 characters after escaping", () => {
    const headerOf = (name: string) => {
      const [block] = renderChat(reportOf(resultOf(["a"], []), { board_name: "B", rule_name: name })).blocks ?? []
      return block?.type === "header" ? block.text.text : assert.fail("there is no header")
    }
    assert.strictEqual(headerOf("&".repeat(80)), `[B] ${"&amp;".repeat(29)}…`)
    assert.strictEqual(headerOf(`Sales ${"<>".repeat(40)}`), `[B] Sales ${"&lt;&gt;".repeat(17)}…`)
    assert.strictEqual(headerOf("&".repeat(29)), `[B] ${"&amp;".repeat(29)}`)
    assert.strictEqual(headerOf("a".repeat(146)), `[B] ${"a".repeat(146)}`)
    assert.strictEqual(headerOf("a".repeat(147)), `[B] ${"a".repeat(145)}…`)
    assert.strictEqual(headerOf("&".repeat(28) + "👩‍👩‍👧".repeat(5)), `[B] ${"&amp;".repeat(28)}…`)
  })

  const anyText = FastCheck.oneof(
    FastCheck.string({ unit: "binary", maxLength: 700 }),
    FastCheck.string({
      unit: FastCheck.constantFrom("&", "<", "\"", "\\", "`", "\u0301", "日", "अ"),
      maxLength: 700,
      minLength: 300
    })
  )
  const anyCell = FastCheck.oneof(anyText, FastCheck.double(), FastCheck.constant(null))
  const anyResult = FastCheck.integer({ min: 1, max: 14 }).chain((width) =>
    FastCheck.tuple(
      FastCheck.array(anyText, { minLength: width, maxLength: width }),
      FastCheck.array(anyCell, { minLength: width, maxLength: width }),
      FastCheck.integer({ min: 0, max: 30 })
    ).map(([names, row, rows]) => resultOf(names, Array.from({ length: rows }, () => row), true))
  )

  it.prop(
    "stays within Slack's limits for any content",
    [anyText, FastCheck.oneof(anyResult, FastCheck.record({ code: anyText, message: anyText }))],
    ([name, outcome]) => {
      const { blocks = [], text } = renderChat(reportOf(outcome, { board_name: name, rule_name: name }))
      assert.isBelow(JSON.stringify({ text, blocks }).length, 12_000)
      assert.isAtMost(blocks.length, 5)
      for (const block of blocks) {
        if (block.type === "header") {
          assert.isAtMost(block.text.text.length, 150)
          assert.notMatch(block.text.text, /&(?!amp;|lt;|gt;)/)
        }
        if (block.type === "section") assert.isAtMost(block.text.text.length, 3_000)
        const content = block.type === "context" ? block.elements : [block.text]
        assert.isTrue(content.every((part) => part.text.trim() !== "" && !/[<>]/.test(part.text)))
      }
    }
  )
})
