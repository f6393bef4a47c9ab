import { assert, describe, it } from "@effect/vitest"
import { makeSilentParts } from "../src/clauses/SilentParts.js"

/** Filters a text that comes in pieces of a length. */
const spokenOf = (text: string, length: number): string => {
  const { end, push } = makeSilentParts()
  let spoken = ""
  for (let at = 0; at < text.length; at += length) spoken += push(text.slice(at, at + length))
  return spoken + end()
}

describe("the parts of an answer that are not spoken", () => {
  const cases = [
    ["<think>I must be quick. They want a table.</think>Hello there.", "Hello there."],
    ["Yes. <THINKING>Hm.</THINKING>No.", "Yes. No."],
    ["Here it is:\n```json\n{\"a\": 1}\n```\nThat is all.", "Here it is:\n\nThat is all."],
    ["{\"name\": \"end_call\", \"arguments\": {\"why\": \"a } \\\" {\"}} Goodbye.", " Goodbye."],
    ["{ \"name\": \"end_call\" ", ""],
    ["One <tool_call>{\"name\": 1}</tool_call>two.", "One two."],
    ["Well, <think>this never ends", "Well, "],
    ["Hello {{name}}, 3 < 5 and {this} is <b>fine</b> `so` {", "Hello {{name}}, 3 < 5 and {this} is fine `so` {"],
    ["It is <abbr title=\"Mr. Rao. Head of sales\">he</abbr>.<!-- Be kind. -->", "It is he."],
    ["See [our page. It is new](https://example.org/a.b) and ![a map](m.png).", "See our page. It is new and a map."],
    ["Choose [one] (or two)! Is 2 <b?", "Choose [one] (or two)! Is 2 <b?"],
    [
      "[Foo](https://e.org/Foo_(bar)) [x](https://e.org \"A title\") [a [b] c](u) [![alt](i.png)](u).",
      "Foo x a [b] c alt."
    ],
    [`See <a href="https://e.org/${"x".repeat(300)}">here</a>.`, "See here."],
    ["See [<!-- c -->this](u).", "See this."],
    ["If 3<x and x>5, mail <help@e.org> or {\"a\" b.", "If 3<x and x>5, mail <help@e.org> or {\"a\" b."],
    ["\u0130\u0130 <think>secret</think> Hello.", "\u0130\u0130  Hello."]
  ] as const

  it("are left out, wherever the text is divided", () => {
    for (const [text, spoken] of cases) {
      for (const length of [1, 2, 3, 7, text.length]) assert.strictEqual(spokenOf(text, length), spoken)
    }
  })

  it("are not kept, however long they are", () => {
    const { end, push } = makeSilentParts()
    let spoken = push("Well, <think>")
    for (let part = 0; part < 50_000; part++) spoken += push("Let me think about it, in </th and so. ")
    assert.strictEqual(spoken + push("</thi") + push("nk>yes.") + end(), "Well, yes.")
  })

  it("hold no more than some hundred characters of a text back", () => {
    for (const sign of ["[", "![", "<b ", "<", "[a](", "{", "!"]) {
      const { push } = makeSilentParts()
      let spoken = ""
      for (let part = 0; part < 1_000; part++) spoken += push(`${sign}x `)
      assert.isAbove(spoken.length, 1_000 * (sign.length + 2) - 1_000, sign)
    }
  })
})
