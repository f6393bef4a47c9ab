import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { checkEvents, parseEvents } from "../src/testing.js"
import {
  broken,
  changed,
  correct,
  cut,
  type Events,
  indexOf,
  moved,
  numbered,
  twice,
  without
} from "./EventFixtures.js"

const message = "the output is not what the events make up"

const faults: ReadonlyArray<readonly [about: string, corrupt: (events: Events) => Events, expected: string]> = [
  ["an empty stream", () => [], "there is no last event"],
  [
    "an unknown event",
    (events) => [...events.slice(0, 2), { type: "x" }, ...events.slice(2)],
    "type Must be"
  ],
  ["null for an event", (events) => [...events, JSON.parse("null")], "Must be an object"],
  ["a missing field", changed("output_text.delta", ["logprobs"], undefined), "logprobs"],
  ["an unknown field", changed("output_text.delta", ["index"], 1), "index is not a known field"],
  [
    "a gap in the numbers",
    (events) => events.map((event) => ({ ...event, sequence_number: Number(event["sequence_number"]) * 2 })),
    "sequence_number does not follow"
  ],
  [
    "numbers from 1",
    (events) => events.map((event) => ({ ...event, sequence_number: Number(event["sequence_number"]) + 1 })),
    "sequence_number does not follow"
  ],
  ["a missing first event", without("created"), "response.created is the first event"],
  ["two first events", twice("created"), "response.created is the first event"],
  ["a late in_progress", moved("in_progress", () => 4), "response.in_progress is not the second event"],
  ["two in_progress", twice("in_progress"), "response.in_progress is not the second event"],
  [
    "a first event with another status",
    changed("created", ["response", "status"], "completed"),
    "further than in progress"
  ],
  ["a missing last event", without("completed"), "there is no last event"],
  ["two last events", twice("completed"), "it comes after the end"],
  ["an event after the last", (events) => numbered([...events, ...events.slice(5, 6)]), "it comes after the end"],
  ["a last event of another response", changed("completed", ["response", "id"], "x"), "the response is another one"],
  ["another model", changed("completed", ["response", "model"], "x"), "the response is another one"],
  ["another creation", changed("completed", ["response", "created_at"], 99), "the response is another one"],
  [
    "a status that differs from the event",
    changed("completed", ["response", "status"], "incomplete"),
    "the status is another one than the event's"
  ],
  [
    "a completed response with incomplete_details",
    changed("completed", ["response", "incomplete_details"], { reason: "max_output_tokens" }),
    "incomplete_details do not go"
  ],
  [
    "a completed response with an error",
    changed("completed", ["response", "error"], {
      message: "",
      code: "",
      request_id: null,
      type: "server_error",
      param: ""
    }),
    "error does not go"
  ],
  [
    "a completed response without completed_at",
    changed("completed", ["response", "completed_at"], null),
    "completed_at does not go"
  ],
  ["a completed response without usage", changed("completed", ["response", "usage"], null), "there is no usage"],
  ["output that lacks an item", changed("completed", ["response", "output"], []), message],
  [
    "output with another text",
    changed("completed", ["response", "output", "1", "content", "0", "text"], "Yet"),
    message
  ],
  ["an item that was not added", without("output_item.added"), "no item is open"],
  ["an item that is added twice", twice("output_item.added"), "the item before it is not done"],
  ["an item that is not done", without("output_item.done", -1), "an item is not done"],
  ["an item that is done twice", twice("output_item.done"), "no item is open"],
  ["an item in another place", changed("output_item.added", ["output_index"], 1), "output_index does not follow"],
  ["an id that was used before", (events) => {
    const at = indexOf(events, "output_item.added", 1)
    const id = Object(events[indexOf(events, "output_item.added")]?.["item"]).id
    return changed("output_item.added", ["item", "id"], id, 1)(events).slice(0, at + 1)
  }, "the id of the item was used before"],
  [
    "an item that is done under another id",
    changed("output_item.done", ["item", "id"], "x"),
    "item_id is not that of the open item"
  ],
  [
    "an item that is done in another place",
    changed("output_item.done", ["output_index"], 4),
    "output_index is not that"
  ],
  [
    "an item that is added complete",
    changed("output_item.added", ["item", "status"], "completed"),
    "not empty and in progress"
  ],
  [
    "a call that is added with arguments",
    changed("output_item.added", ["item", "arguments"], "{", 2),
    "not empty and in progress"
  ],
  ["a call without a name", changed("output_item.added", ["item", "name"], "", 2), "the call has no name or call_id"],
  [
    "a call without a call_id",
    changed("output_item.added", ["item", "call_id"], "", 2),
    "the call has no name or call_id"
  ],
  ["a call that changes its name", changed("function_call_arguments.done", ["name"], "z"), "the name is another one"],
  [
    "an item that is done in progress",
    changed("output_item.done", ["item", "status"], "in_progress"),
    "the item is still in progress"
  ],
  [
    "an item with another text than its own",
    changed("output_item.done", ["item", "content", "0", "text"], "Yet", 1),
    "the item is not what its events make up"
  ],
  ["a part that was not added", without("content_part.added"), "no part of the kind output_text is open"],
  ["a part that is added twice", twice("content_part.added"), "the part before it is not done"],
  [
    "a part in another place",
    changed("content_part.added", ["content_index"], 1),
    "the index of the part does not follow"
  ],
  ["a part of another item", changed("content_part.added", ["item_id"], "x"), "item_id is not that of the open item"],
  ["a part that is added with text", changed("content_part.added", ["part", "text"], "Y"), "the part is not empty"],
  [
    "a part of another kind",
    changed("content_part.added", ["part"], { type: "refusal", refusal: "" }),
    "no part of the kind output_text is open"
  ],
  ["reasoning in a message", (events) => {
    const at = indexOf(events, "content_part.added")
    const part = { type: "summary_text", text: "" }
    const { content_index: summary_index, ...rest } = { ...events[at] }
    const event = { ...rest, type: "response.reasoning_summary_part.added", summary_index, part }
    return [...events.slice(0, at), event]
  }, "the part is not one of such an item"],
  ["a part that is not done", without("content_part.done"), "the part before it is not done"],
  ["a last part that is not done", without("content_part.done", -1), "a part of the item is not done"],
  ["a part that is done before its text", without("output_text.done"), "the text of the part is not done"],
  [
    "a part that is done with another text",
    changed("content_part.done", ["part", "text"], "Yet"),
    "the part is not what its deltas make up"
  ],
  [
    "a reasoning part that is done with another text",
    changed("reasoning_summary_part.done", ["part", "text"], "Ha"),
    "the part is not what its deltas make up"
  ],
  [
    "a part that is done in another place",
    changed("content_part.done", ["content_index"], 1),
    "the index is not that of the open part"
  ],
  [
    "a text that is done with another text",
    changed("output_text.done", ["text"], "Yet"),
    "the text is not what its deltas make up"
  ],
  [
    "a refusal that is done with another text",
    changed("refusal.done", ["refusal"], "Yet"),
    "the text is not what its deltas make up"
  ],
  [
    "a reasoning text that is done with another text",
    changed("reasoning_summary_text.done", ["text"], "Ha"),
    "the text is not what its deltas make up"
  ],
  [
    "arguments that are done with other ones",
    changed("function_call_arguments.done", ["arguments"], "{}"),
    "the text is not what its deltas make up"
  ],
  [
    "a text in another place",
    changed("output_text.delta", ["content_index"], 1),
    "the index is not that of the open part"
  ],
  ["a text of another item", changed("output_text.delta", ["item_id"], "x"), "item_id is not that of the open item"],
  [
    "a text in another place of the output",
    changed("output_text.delta", ["output_index"], 0),
    "output_index is not that of the open item"
  ],
  [
    "a text after its end",
    moved("output_text.delta", (rest) => indexOf(rest, "output_text.done") + 1),
    "the text is done already"
  ],
  ["a missing delta", without("function_call_arguments.delta"), "the text is not what its deltas make up"],
  ["arguments that are not done", without("function_call_arguments.done"), "a part of the item is not done"]
]

describe("checkEvents", () => {
  it.effect("finds no faults in a correct stream", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(checkEvents(yield* correct), [])
      assert.deepStrictEqual(checkEvents(yield* cut), [])
    }))

  it.effect("does not require in_progress", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(checkEvents(without("in_progress")(yield* correct)), [])
    }))

  for (const [about, corrupt, expected] of faults) {
    it.effect(`finds ${about}`, () =>
      Effect.gen(function*() {
        const problems = checkEvents(corrupt(yield* correct))
        assert.isTrue(problems.some((fault) => fault.includes(expected)), problems.join("\n"))
      }))
  }

  it.effect("finds an incomplete item in a completed response, or before another item", () =>
    Effect.gen(function*() {
      const completed = changed("completed", ["response", "output", "0", "status"], "incomplete")
      const problems = checkEvents(
        completed(changed("output_item.done", ["item", "status"], "incomplete")(yield* correct))
      )
      assert.lengthOf(problems, 2)
      assert.include(problems.join(), "an item of a completed response is not")
      assert.include(problems.join(), "an incomplete item is not the last")
    }))

  it.effect("finds an unfinished item in a response that did not fail", () =>
    Effect.gen(function*() {
      const problems = checkEvents(without("output_item.done", -1)(yield* cut))
      assert.include(problems.join(), "an item is not done")
    }))

  it.effect("finds a failure whose event lacks its error or has another one", () =>
    Effect.gen(function*() {
      const events = yield* broken
      assert.deepStrictEqual(checkEvents(events), [])
      assert.include(checkEvents(changed("failed", ["error"], undefined)(events)).join(), "error")
      const other = checkEvents(changed("failed", ["error", "message"], "Something else")(events))
      assert.include(other.join(), "the error is not that of the response")
    }))
})

describe("parseEvents", () => {
  const frame = "event: response.created\ndata: {\"type\":\"response.created\"}\n\n"

  it("parses events and skips comments", () => {
    assert.deepStrictEqual(parseEvents(`:\n\n${frame}: ping\n\n${frame}`), {
      events: [{ type: "response.created" }, { type: "response.created" }],
      faults: []
    })
    assert.deepStrictEqual(parseEvents(""), { events: [], faults: [] })
  })

  for (
    const [about, text] of [
      ["an event not named after its type", frame.replace("event: response.created", "event: response.failed")],
      ["an event without a name", frame.replace("event: response.created\n", "")],
      ["an event without data", "event: response.created\n\n"],
      ["a [DONE] event", `${frame}data: [DONE]\n\n`]
    ]
  ) {
    it(`finds ${about}`, () => {
      assert.lengthOf(parseEvents(text ?? "").faults, 1)
    })
  }

  it("finds a last frame that is incomplete", () => {
    assert.deepStrictEqual(parseEvents(frame.trim()).faults, ["the last frame is not whole"])
  })
})
