import { assert, describe, it } from "@effect/vitest"
import { marksOf, type Message, piecesOf } from "../page/calls/axis.js"
import { exchangesOf, type TurnEnd, turnEndText, wholeInputs } from "../page/calls/exchange.js"

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

const silence: TurnEnd = {
  rule: "silence",
  waited_ms: 400,
  required_ms: 400,
  completeness: "finished",
  spoken_ms: 2_000,
  prepared: true
}

const input = (turn: number, content: string, more: object = {}) => ({
  at: at(turn),
  turn,
  model: "voice-1",
  kept_messages: 0,
  messages: [{ role: "user", content }],
  omitted: 0,
  outcome: "answered" as const,
  failure: null,
  input_tokens: null,
  output_tokens: null,
  ...more
})

const timings = {
  ended_at: at(4),
  words_at: at(4.2),
  first_token_at: null,
  first_clause_at: null,
  first_sound_at: at(4.5)
}

const messages = [
  message("agent", 0, "Hello."),
  message("user", 4.2, "A table.", { turn_end: silence }),
  message("agent", 4.5, "For how many?", { timings }),
  message("user", 8, "Four."),
  message("tool", 8, "done"),
  message("agent", 9, "Very well.")
]

describe("the turns of a call in the console", () => {
  it("have why they ended, what the model was sent and the steps of their answer", () => {
    const inputs = [
      input(2, "A table."),
      input(4, "Fou", { outcome: "given_up" }),
      input(4, "Four."),
      input(5, "Four.")
    ]
    const exchanges = exchangesOf(messages, inputs)
    assert.deepStrictEqual(
      exchanges.map(({ answer, end, inputs, place, said, steps }) =>
        [place, said, answer, end?.rule, inputs.length, steps?.whole] as const
      ),
      [
        [1, "A table.", "For how many?", "silence", 1, 500],
        [3, "Four.", "Very well.", undefined, 3, undefined]
      ]
    )
    assert.deepStrictEqual(exchangesOf([message("agent", 0, "Hello.")], []), [])
  })

  it("are told by the requests to the model where a call failed and has no transcript", () => {
    const exchanges = exchangesOf([], [input(2, "A table."), input(4, "Four.", { outcome: "failed", failure: "away" })])
    assert.deepStrictEqual(exchanges.map(({ answer, said }) => [said, answer]), [["A table.", null], ["Four.", null]])
  })

  it("show each request whole, though a record has the differences only", () => {
    const [, second] = wholeInputs([
      input(2, "One", { system: "You book tables.", tools: ["end_call"], options: { effort: null } }),
      input(4, "Two", { kept_messages: 1 })
    ])
    assert.deepStrictEqual(second?.messages.map(({ content }) => content), ["One", "Two"])
    assert.deepStrictEqual([second?.system, second?.tools], ["You book tables.", ["end_call"]])
  })

  it("are on the axis where they sounded, with the moment at which they were over", () => {
    const [, person, agent] = piecesOf(messages, start, 12)
    assert.deepStrictEqual([person?.from, person?.to, agent?.from], [2, 4, 4.5])
    assert.deepStrictEqual(marksOf(messages, start).map(({ at }) => at), [4.4])
  })

  it("tell why they ended in a sentence, whatever a policy of the host says of the words", () => {
    const texts = [
      silence,
      { ...silence, completeness: "a question" },
      { ...silence, rule: "words" as const, waited_ms: 900 },
      { ...silence, rule: "key_terminator" as const, required_ms: null, completeness: null }
    ].map(turnEndText)
    assert.deepStrictEqual(texts, [
      "The person was silent for 400 ms; 400 ms are enough after a finished sentence.",
      "The person was silent for 400 ms; 400 ms are enough (a question).",
      "The words came when the pause of 900 ms was long enough already: 400 ms are after a finished sentence.",
      "The key # ended the entry."
    ])
  })
})
