import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { type Block, paragraph, readMarkdown, readPlainText, splitPassages } from "@trunkline/knowledge"
import { FastCheck as fc } from "effect"

const words = (count: number, word = "word"): string =>
  Array.from({ length: count }, (_, index) => `${word}${index}`).join(" ")

const sizeOf = (text: string): number => text.split(/\s+/).length

const block: fc.Arbitrary<Block> = fc.record({
  level: fc.constantFrom(0, 0, 0, 1, 2, 3),
  text: fc.oneof(fc.string(), fc.nat(900).map((count) => words(count)), fc.constant("अ".repeat(5_000))),
  page: fc.constantFrom(null, 1, 2, 3)
})

describe("passages", () => {
  it("always are bounded, have text, and together have every word of the paragraphs", () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 12 }), (blocks) => {
        const passages = splitPassages(blocks)
        for (const { heading, text } of passages) {
          assert.isAtMost(sizeOf(text), 300)
          assert.isAtMost(text.length, 2_600)
          assert.isAtMost(heading.length, 300)
          assert.match(text, /[\p{L}\p{N}]/u)
        }
        const all = new Set(passages.flatMap(({ text }) => text.split(/\s+/)))
        for (const { level, text } of blocks) {
          if (level > 0 || !/[\p{L}\p{N}]/u.test(text)) continue
          for (const word of text.split(/\s+/)) {
            if (word.length > 0 && word.length < 2_400) assert.isTrue(all.has(word), word)
          }
        }
      }),
      { numRuns: propertyRuns(100) }
    )
  })

  it("begin at headings, and have the path of those above", () => {
    const blocks = readMarkdown("# Shop\n\nAll.\n\n## Returns\n\nBack.\n\n### Late\n\nNo.\n\n## Hours\n\nTen.")
    assert.deepStrictEqual(splitPassages(blocks).map(({ heading, text }) => [heading, text]), [
      ["Shop", "All."],
      ["Shop > Returns", "Back."],
      ["Shop > Returns > Late", "No."],
      ["Shop > Hours", "Ten."]
    ])
  })

  it("join short paragraphs, and cut long ones at sentences with an overlap", () => {
    const short = splitPassages(readPlainText([words(100, "a"), words(100, "b"), words(100, "c")].join("\n\n")))
    assert.deepStrictEqual(short.map(({ text }) => sizeOf(text)), [200, 100])
    const sentence = `${words(49, "s")} end.`
    const [first, second] = splitPassages([paragraph(Array.from({ length: 12 }, () => sentence).join(" "))])
    assert.isTrue(first?.text.endsWith("end."))
    assert.isTrue(second !== undefined && sizeOf(second.text) > 200)
    assert.isTrue(first?.text.split(" ").slice(-40).join(" ") === second?.text.split(" ").slice(0, 40).join(" "))
  })

  it("begin on a new page once they are long enough", () => {
    const pages = [1, 2, 3].map((page): Block => ({ level: 0, text: words(page === 1 ? 70 : 20), page }))
    assert.deepStrictEqual(splitPassages(pages).map(({ page }) => page), [1, 2])
  })
})

describe("Markdown", () => {
  it("is read without its signs, front matter and comments; code stays", () => {
    const source = [
      "---",
      "title: x",
      "---",
      "Title",
      "=====",
      "A **bold** [link](https://example.com \"t\") and `code`, snake_case_word. <!-- hidden -->",
      "",
      "- one",
      "- two",
      "",
      "| Item | Price |",
      "|---|---:|",
      "| Piano | 2,400 |",
      "",
      "```sh",
      "# no heading",
      "```"
    ].join("\n")
    assert.deepStrictEqual(readMarkdown(source).map(({ level, text }) => [level, text.trim()]), [
      [1, "Title"],
      [0, "A bold link and code, snake_case_word."],
      [0, "one\ntwo"],
      [0, "Item Price \n\n Piano 2,400"],
      [0, "# no heading"]
    ])
  })
})
