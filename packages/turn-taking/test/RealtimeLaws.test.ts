import { assert, describe, it } from "@effect/vitest"
import { LanguageModel, type Message, splitIntoDeltas } from "@trunkline/models"
import { modemTranscriber, modemVoice, soundOf } from "@trunkline/speech"
import { Effect, Layer, Stream } from "effect"
import { makeSessionHistory } from "../src/realtime/SessionHistory.js"
import { realtimeModelLaws, realtimeOfParts } from "../src/testing.js"

const completionOf = (last: Message | undefined) => ({
  text: last?.role === "user" && String(last.content).includes("table") ? "" : "You are welcome.",
  reasoning: "",
  refusal: null,
  toolRequests: last?.role === "user" && String(last.content).includes("table")
    ? [{ id: "call_1", name: "find_table", arguments: "{}" }]
    : [],
  finish: "stop" as const,
  usage: null,
  logprobs: []
})

const language = Layer.succeed(LanguageModel, {
  generate: ({ messages }) => Effect.succeed(completionOf(messages.at(-1))),
  stream: ({ messages }) => Stream.fromIterable(splitIntoDeltas(completionOf(messages.at(-1))))
})

realtimeModelLaws("parts in memory", {
  model: Effect.map(realtimeOfParts(), ({ model }) => model).pipe(
    Effect.provide(Layer.mergeAll(language, modemVoice(), modemTranscriber))
  ),
  say: (text, rate) => Effect.orDie(Effect.provide(soundOf(text, { rate }), modemVoice()))
})

describe("what a session knows of a conversation", () => {
  const asked: Message = { role: "user", content: "A table, please." }
  const called: Message = {
    role: "assistant",
    content: "One moment.",
    toolRequests: [{ id: "call_1", name: "find_table", arguments: "{}" }]
  }
  const result: Message = { role: "tool", toolRequestId: "call_1", name: "find_table", content: "7" }

  it("is completed by what it has not heard or said", () => {
    const history = makeSessionHistory()
    history.note({ role: "assistant", content: "Hello.", toolRequests: [] })
    history.note(asked)
    history.note(called)
    const greeting: Message = { role: "assistant", content: "Hello.", toolRequests: [] }
    assert.deepStrictEqual(
      history.takeMissing([greeting, asked, { ...called, content: "One moment. Still there?" }, result]),
      [
        result
      ]
    )
    assert.deepStrictEqual(history.takeMissing([greeting, asked, called, result]), [])
  })

  it("joins the parts of a turn, and adds keys after words", () => {
    const history = makeSessionHistory()
    history.note({ role: "user", content: "A table" })
    history.note({ role: "user", content: "for four." })
    assert.deepStrictEqual(history.takeMissing([{ role: "user", content: "A table for four." }]), [])
    assert.deepStrictEqual(history.takeMissing([{ role: "user", content: "A table for four. 12" }]), [
      { role: "user", content: "12" }
    ])
  })

  it("begins anew with a conversation that does not go on from it", () => {
    const history = makeSessionHistory()
    history.note(asked)
    history.note(called)
    assert.isNull(history.takeMissing([{ role: "user", content: "Goodbye." }]))
    assert.deepStrictEqual(history.messages, [{ role: "user", content: "Goodbye." }])
  })

  it("has the text of an answer as far as it was heard", () => {
    const history = makeSessionHistory()
    const setText = history.note({ role: "assistant", content: "One moment, please.", toolRequests: [] })
    setText("One")
    assert.deepStrictEqual(history.messages, [{ role: "assistant", content: "One", toolRequests: [] }])
    setText("")
    assert.deepStrictEqual(history.messages, [{ role: "assistant", content: null, toolRequests: [] }])
  })
})
