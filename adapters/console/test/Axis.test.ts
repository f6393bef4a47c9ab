import { assert, describe, it } from "@effect/vitest"
import { byDay, byFamily, creditText } from "../page/account/figures.js"
import { answersOf, type Message, piecesOf } from "../page/calls/axis.js"

const start = Date.parse("2026-01-01T10:00:00Z")
const at = (second: number) => new Date(start + second * 1000).toISOString()

const message = (role: Message["role"], second: number, en_text: string, more: Partial<Message> = {}): Message => ({
  role,
  en_text,
  indic_text: null,
  language_name: "English",
  timestamp: at(second),
  ...more
})

describe("the time axis of a call", () => {
  it("places turns from the answer on, and ends each before the next one", () => {
    const pieces = piecesOf(
      [message("agent", 1, "A".repeat(140)), message("user", 4, "Yes"), message("agent", 6, "Good.")],
      start,
      8
    )
    assert.deepStrictEqual(pieces.map(({ from, role, to }) => [role, from, to]), [
      ["agent", 1, 4],
      ["user", 4, 4.6],
      ["agent", 6, 6.6]
    ])
  })

  it("keeps turns of a call whose length is not known, and leaves out those without a moment", () => {
    const pieces = piecesOf([message("agent", 2, "Hello"), message("user", 3, "Hi", { timestamp: null })], start, 0)
    assert.strictEqual(pieces.length, 1)
    assert.isAbove(pieces[0]?.to ?? 0, 2)
  })
})

describe("the steps of an answer", () => {
  it("begin at the last voice of the person, one after the other", () => {
    const timings = {
      ended_at: at(10),
      words_at: at(10.2),
      first_token_at: at(10.5),
      first_clause_at: null,
      first_sound_at: at(10.9)
    }
    const [answer, ...others] = answersOf([message("user", 9, "Yes"), message("agent", 11, "Good.", { timings })])
    assert.strictEqual(others.length, 0)
    assert.deepStrictEqual(answer?.steps.map(({ from, title, to }) => [title, from, to]), [
      ["Words understood", 0, 200],
      ["Model's first word", 200, 500],
      ["First sound", 500, 900]
    ])
    assert.strictEqual(answer?.whole, 900)
  })
})

describe("the use of an account", () => {
  const line = (day: string, api: string, requests: number, cost: number) => ({
    day,
    api,
    requests,
    units: { input_token: requests * 10 },
    cost,
    charged: 0
  })
  const usage = [
    line("2026-01-01", "chat", 2, 300),
    line("2026-01-02", "chat", 1, 200),
    line("2026-01-02", "responses", 5, 900)
  ]

  it("is summed by family, the dearest first", () => {
    assert.deepStrictEqual(byFamily(usage).map(({ api, cost, units }) => [api, cost, units["input_token"]]), [
      ["responses", 900, 50],
      ["chat", 500, 30]
    ])
  })

  it("has each of the last 30 days, also those without any", () => {
    const days = byDay(usage, Date.parse("2026-01-03T12:00:00Z"))
    assert.strictEqual(days.length, 30)
    assert.deepStrictEqual(days.slice(-3).map(({ requests }) => requests), [2, 6, 0])
  })

  it("is shown in credits", () => assert.strictEqual(creditText(2_500_000), "2.5"))
})
