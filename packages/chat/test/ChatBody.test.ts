import { assert, describe, it } from "@effect/vitest"
import { Chat, type ChatVersion } from "@trunkline/chat"
import { macroTask } from "@trunkline/kernel"
import { ModelCatalog, publicModels } from "@trunkline/models"
import { Effect, Fiber, Layer } from "effect"
import { askedOf, bare, faultsOf, reading } from "./Doubles.js"

const user = { role: "user", content: "Hello" }
const call = { id: "call_1", type: "function", function: { name: "find", arguments: "{}" } }
const tool = { type: "function", function: { name: "find" } }
const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }
const words = [{ type: "text", text: "Hel" }, { type: "text", text: "lo" }]
const many = <A>(item: (index: number) => A) => Array.from({ length: 2_500 }, (_, index) => item(index))
const named = (name: string) => ({ type: "function", function: { name } })
const schema = (fields: object) => ({ response_format: { type: "json_schema", json_schema: fields } })

type Row = readonly [about: string, fields: object, faults?: ReadonlyArray<string>, model?: string]

const both: ReadonlyArray<Row> = [
  ["nothing but messages and a model", {}],
  ["every nullable field as null", {
    temperature: null,
    top_p: null,
    reasoning_effort: null,
    max_tokens: null,
    max_completion_tokens: null,
    parallel_tool_calls: null,
    stream: null,
    stream_options: null,
    stop: null,
    n: null,
    seed: null,
    frequency_penalty: null,
    presence_penalty: null,
    tools: null,
    tool_choice: null,
    response_format: null,
    logprobs: null,
    top_logprobs: null,
    extra_body: null
  }],
  ["fields that nobody knows", { user: "u", store: "yes", metadata: { a: 1 } }],

  ["the ends of the temperature", { temperature: 0 }],
  ["the other end of it", { temperature: 2 }],
  ["a temperature below", { temperature: -0.1 }, ["temperature: Must be at least 0"]],
  ["a temperature above", { temperature: 2.1 }, ["temperature: Must be at most 2"]],
  ["a temperature as text", { temperature: "1" }, ["temperature: Must be a number or null"]],
  ["the whole of top_p", { top_p: 1 }],
  ["nothing of top_p", { top_p: 0 }],
  ["less than nothing of top_p", { top_p: -0.01 }, ["top_p: Must be at least 0"]],
  ["more than all of top_p", { top_p: 1.01 }, ["top_p: Must be at most 1"]],
  ["the ends of the penalties", { frequency_penalty: -2, presence_penalty: 2 }],
  ["penalties beyond them", { frequency_penalty: -2.1, presence_penalty: 2.1 }, [
    "frequency_penalty: Must be at least -2",
    "presence_penalty: Must be at most 2"
  ]],

  ["one token", { max_tokens: 1 }],
  ["no token by its newer name", { max_completion_tokens: 0 }, ["max_completion_tokens: Must be at least 1"]],
  ["no token", { max_tokens: 0 }, ["max_tokens: Must be at least 1"]],
  ["a fraction of tokens", { max_tokens: 1.5 }, ["max_tokens: Must be a whole number"]],
  ["tokens as text", { max_tokens: "10" }, ["max_tokens: Must be a whole number or null"]],
  ["more tokens than sums can hold", { max_tokens: 3_000_000_000 }, ["max_tokens: Must be at most 2147483647"]],
  ["as many answers as there may be", { n: 128 }],
  ["no answer", { n: 0 }, ["n: Must be at least 1"]],
  ["too many answers", { n: 129 }, ["n: Must be at most 128"]],
  ["a negative seed", { seed: -7 }],
  ["half a seed", { seed: 0.5 }, ["seed: Must be a whole number"]],

  ["a stream with usage", { stream: true, stream_options: { include_usage: true } }],
  ["stream options without a stream", { stream_options: { include_usage: true } }],
  ["a stream as text", { stream: "true" }, ["stream: Must be true or false or null"]],
  ["a stream as a number", { stream: 1 }, ["stream: Must be true or false or null"]],
  ["usage as text", { stream: true, stream_options: { include_usage: "yes" } }, [
    "stream_options.include_usage: Must be true or false or null"
  ]],

  ["a stop", { stop: "\n" }],
  ["four stops", { stop: ["a", "b", "c", "d"] }],
  ["no stops", { stop: [] }],
  ["five stops", { stop: ["a", "b", "c", "d", "e"] }, ["stop: Must have at most 4 items"]],
  ["an empty stop", { stop: "" }, ["stop: Must have at least 1 character"]],
  ["an empty stop among others", { stop: ["a", ""] }, ["stop.1: Must have at least 1 character"]],
  ["a stop that is no text", { stop: 7 }, ["stop: Must be a string, a list or null"]],

  ["an effort", { reasoning_effort: "low" }],
  ["the effort that is said to be usual", { reasoning_effort: "medium" }],
  ["no effort", { reasoning_effort: null }],
  ["an effort that is none", { reasoning_effort: "none" }, [
    "reasoning_effort: Must be \"low\", \"medium\", \"high\", \"max\" or null"
  ]],
  ["logprobs", { logprobs: true, top_logprobs: 20 }],
  ["logprobs of nothing but the token", { logprobs: true, top_logprobs: 0 }],
  ["too many of them", { logprobs: true, top_logprobs: 21 }, ["top_logprobs: Must be at most 20"]],
  ["how many of them without them", { top_logprobs: 0 }, ["top_logprobs: Needs logprobs to be true"]],

  ["a tool", { tools: [tool] }],
  ["no tools", { tools: [] }],
  ["all that a tool may have", {
    tools: [{ type: "function", function: { name: "a-B_9", description: "d", parameters: {}, strict: true } }]
  }],
  ["a tool of null fields", {
    tools: [{ type: "function", function: { name: "a", description: null, parameters: null, strict: null } }]
  }],
  ["a tool in the shape of responses", { tools: [{ type: "function", name: "find", parameters: {} }] }, [
    "tools.0.function: Put name, description and parameters into an object under this key"
  ]],
  ["a tool that is nothing", { tools: [{}] }, [
    "tools.0.type: This field is required",
    "tools.0.function: This field is required"
  ]],
  ["a tool of another type", { tools: [{ ...tool, type: "web_search" }] }, ["tools.0.type: Must be \"function\""]],
  ["a function without a name", { tools: [named("")] }, [
    "tools.0.function.name: Must match the pattern ^[A-Za-z0-9_-]{1,64}$"
  ]],
  ["a function of too long a name", { tools: [named("a".repeat(65))] }, [
    "tools.0.function.name: Must match the pattern ^[A-Za-z0-9_-]{1,64}$"
  ]],
  [
    "a function whose parameters are a list",
    { tools: [{ type: "function", function: { name: "a", parameters: [] } }] },
    [
      "tools.0.function.parameters: Must be an object or null"
    ]
  ],
  ["two functions of one name", { tools: [tool, named("other"), tool] }, [
    "tools.2.function.name: Another function has this name"
  ]],
  ["tools that are no list", { tools: tool }, ["tools: Must be a list or null"]],
  ["one call at a time, as text", { tools: [tool], parallel_tool_calls: "no" }, [
    "parallel_tool_calls: Must be true or false or null"
  ]],
  ["every choice of tools", { tools: [tool], tool_choice: "required" }],
  ["a named choice", { tools: [tool], tool_choice: named("find") }],
  ["auto without tools", { tool_choice: "auto" }],
  ["none without tools", { tool_choice: "none" }],
  ["a required choice without tools", { tool_choice: "required" }, ["tool_choice: Needs tools"]],
  ["a required choice of no tools", { tools: [], tool_choice: "required" }, ["tool_choice: Needs tools"]],
  ["a named choice without tools", { tool_choice: named("find") }, ["tool_choice: Needs tools"]],
  ["a choice that is no tool", { tools: [tool], tool_choice: named("other") }, [
    "tool_choice.function.name: None of the tools has this name"
  ]],
  ["a choice that is none", { tools: [tool], tool_choice: "any" }, [
    "tool_choice: Must be \"none\", \"auto\", \"required\", an object or null"
  ]],

  ["text", { response_format: { type: "text" } }],
  ["JSON", { response_format: { type: "json_object" } }],
  ["JSON of a schema", schema({ name: "answer_1", schema: {}, description: null, strict: null })],
  ["schemas that are none", {
    ...schema({ name: "a", schema: { type: "everything" } }),
    tools: [tool, { type: "function", function: { name: "other", parameters: { properties: 7 } } }]
  }, [
    "tools.1.function.parameters: Must have an object of schemas in \"properties\"",
    "response_format.json_schema.schema: Must have one or more of array, boolean, integer, null, number, object, string in \"type\""
  ]],
  ["JSON of a schema without a name", schema({ schema: {} }), [
    "response_format.json_schema.name: This field is required"
  ]],
  ["JSON of a schema without one", schema({ name: "a" }), [
    "response_format.json_schema.schema: This field is required"
  ]],
  ["JSON of a schema with the longest name", schema({ name: "a-B_9".padEnd(64, "x"), schema: {} })],
  ["JSON of a schema with too long a name", schema({ name: "a".repeat(65), schema: {} }), [
    "response_format.json_schema.name: Must match the pattern ^[A-Za-z0-9_-]{1,64}$"
  ]],
  ["JSON of a schema with a bad name", schema({ name: "a b", schema: {} }), [
    "response_format.json_schema.name: Must match the pattern ^[A-Za-z0-9_-]{1,64}$"
  ]],
  ["a schema in the shape of responses", { response_format: { type: "json_schema", name: "a", schema: {} } }, [
    "response_format.json_schema: This field is required"
  ]],
  ["a form that is none", { response_format: { type: "xml" } }, [
    "response_format.type: Must be \"text\", \"json_object\" or \"json_schema\""
  ]],

  ["a message of every role", {
    messages: [
      { role: "system", content: "Be brief." },
      { role: "developer", content: "Be kind." },
      user,
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "call_1", content: "42" },
      { role: "assistant", content: "It is 42.", reasoning_content: "Look it up.", refusal: null, tool_calls: null },
      { role: "narrator", content: [{ type: "text", text: "Later." }], name: "n" }
    ]
  }],
  ["no messages", { messages: [] }, ["messages: Must have at least 1 item"]],
  ["messages that are no list", { messages: "Hello" }, ["messages: Must be a list"]],
  ["a message that is none", { messages: ["Hello"] }, ["messages.0: Must be an object"]],
  ["a message without a role", { messages: [{ content: "Hello" }] }, ["messages.0.role: This field is required"]],
  ["a message of an empty role", { messages: [{ role: "", content: "a" }] }, [
    "messages.0.role: Must have at least 1 character"
  ]],
  ["a user who says nothing", { messages: [{ role: "user" }] }, ["messages.0.content: This field is required"]],
  ["a user who says null", { messages: [{ role: "user", content: null }] }, [
    "messages.0.content: Must be a string or a list"
  ]],
  ["words in parts", { messages: [{ role: "user", content: [{ type: "text", text: "Hello" }], name: null }] }],
  ["words without words", { messages: [{ role: "user", content: [{ type: "text" }] }] }, [
    "messages.0.content.0.text: This field is required"
  ]],
  ["words in parts from everybody", {
    messages: [
      { role: "system", content: words },
      { role: "developer", content: words },
      { role: "user", content: words },
      { role: "assistant", content: [...words, { type: "refusal", refusal: "No." }] },
      { role: "assistant", content: words, tool_calls: [call] },
      { role: "tool", tool_call_id: "call_1", content: words },
      { role: "narrator", content: words }
    ]
  }],
  ...["system", "developer", "assistant", "tool"].map((role): Row => [
    `images from the ${role}`,
    { messages: [{ role, tool_call_id: "call_1", content: [image] }] },
    [
      `messages.0.content.0.type: Must be "text"${role === "assistant" ? " or \"refusal\"" : ""}`,
      ...(role === "assistant" ? [] : ["messages.0.content.0.text: This field is required"])
    ]
  ]),
  ["system words that are null", { messages: [{ role: "system", content: null }] }, [
    "messages.0.content: Must be a string or a list"
  ]],
  ["many parts and many calls", {
    messages: [
      { role: "user", content: many(() => ({ type: "text", text: "" })) },
      { role: "assistant", tool_calls: many((index) => ({ ...call, id: `call_${index}` })) }
    ]
  }],
  ["a refusal from before", { messages: [user, { role: "assistant", content: null, refusal: "No." }, user] }],
  ["an answer that is null", { messages: [{ role: "assistant", content: null }] }],
  ["an answer that is null and of no calls", { messages: [{ role: "assistant", content: null, tool_calls: [] }] }],
  ["an answer that is nothing at all", { messages: [{ role: "assistant" }] }, [
    "messages.0.content: May only be left out where there are tool_calls or a refusal"
  ]],
  ["an answer of no calls", { messages: [{ role: "assistant", tool_calls: [] }] }, [
    "messages.0.content: May only be left out where there are tool_calls or a refusal"
  ]],
  ["an answer that is a number", { messages: [{ role: "assistant", content: 7 }] }, [
    "messages.0.content: Must be a string, a list or null"
  ]],
  ["a call whose arguments are an object", {
    messages: [{ role: "assistant", tool_calls: [{ ...call, function: { name: "find", arguments: {} } }] }]
  }, ["messages.0.tool_calls.0.function.arguments: Must be a string"]],
  ["a call without an id", { messages: [{ role: "assistant", tool_calls: [{ ...call, id: undefined }] }] }, [
    "messages.0.tool_calls.0.id: This field is required"
  ]],
  ["a result of nobody's call", { messages: [{ role: "tool", tool_call_id: "call_9", content: "" }] }],
  ["a result without a call", { messages: [{ role: "tool", content: "42" }] }, [
    "messages.0.tool_call_id: This field is required"
  ]],
  ["everything at once", {
    messages: [user, { role: "tool", content: 7 }],
    temperature: 9,
    n: "2",
    stop: [1],
    tools: [{ type: "function", function: { name: "?" } }]
  }, [
    "messages.1.content: Must be a string or a list",
    "messages.1.tool_call_id: This field is required",
    "temperature: Must be at most 2",
    "stop.0: Must be a string",
    "n: Must be a whole number or null",
    "tools.0.function.name: Must match the pattern ^[A-Za-z0-9_-]{1,64}$"
  ]]
]

const onV1: ReadonlyArray<Row> = [
  ["extra_body, which it does not know", { extra_body: { temperature: 9 } }],
  ["an image", { messages: [{ role: "user", content: [image] }] }, [
    "messages.0.content.0.type: Must be \"text\"",
    "messages.0.content.0.text: This field is required"
  ]]
]

const onV2: ReadonlyArray<Row> = [
  ["fields for the provider", { extra_body: { guided_regex: "a+", user: 1, max_tool_calls: 1 } }],
  ["a field in extra_body that has its own place", { extra_body: { n: 2, seed: null, top_k: 3 } }, [
    "extra_body.n: Put this field into the body itself",
    "extra_body.seed: Put this field into the body itself"
  ]],
  ["an extra_body in itself", { extra_body: { extra_body: {}, messages: [], stream: true } }, [
    "extra_body.messages: Put this field into the body itself",
    "extra_body.stream: Put this field into the body itself",
    "extra_body.extra_body: Put this field into the body itself"
  ]],
  ["an extra_body that is a list", { extra_body: [] }, ["extra_body: Must be an object or null"]],

  ["an image, for a model without eyes", { messages: [user, { role: "user", content: [image] }] }, [
    "messages.1.content.0: This model does not take images"
  ]],
  [
    "an image",
    { messages: [{ role: "user", content: [{ type: "text", text: "What is it?" }, image] }] },
    [],
    "model-v"
  ],
  [
    "an image in every detail",
    {
      messages: [{ role: "guide", content: [{ ...image, image_url: { ...image.image_url, detail: "high" } }] }]
    },
    [],
    "model-v"
  ],
  [
    "an image in no detail",
    {
      messages: [{ role: "user", content: [{ ...image, image_url: { ...image.image_url, detail: "huge" } }] }]
    },
    ["messages.0.content.0.image_url.detail: Must be \"auto\", \"low\", \"high\" or null"],
    "model-v"
  ],
  [
    "an image at an address",
    {
      messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }] }]
    },
    ["messages.0.content.0.image_url.url: Images must be sent inline, as a data: URL; addresses are not fetched"],
    "model-v"
  ],
  ["a part that is none", { messages: [{ role: "user", content: [{ type: "audio", data: "" }] }] }, [
    "messages.0.content.0.type: Must be \"text\" or \"image_url\""
  ]],

  ["the highest effort", { reasoning_effort: "max" }, [], "model-d"],
  ["the highest effort, for one that does not take it", { reasoning_effort: "max" }, [
    "reasoning_effort: This model takes only low, medium, high"
  ], "model-g"],
  ["the usual effort, for one that always thinks", { reasoning_effort: "medium" }, [], "model-g"],
  ["no effort, for one that always thinks", { reasoning_effort: null }, [], "model-g"],
  ["an effort, for one that never thinks", { reasoning_effort: "low" }, [
    "reasoning_effort: This model does not think"
  ], "model-v"],
  ["no effort, for one that never thinks", { reasoning_effort: null }, [], "model-v"],
  ["logprobs, for one that tells none", { logprobs: true, top_logprobs: 3 }, [
    "logprobs: This model does not tell logprobs",
    "top_logprobs: This model does not tell logprobs"
  ], "model-g"],
  ["no top_logprobs, for one that tells none", { top_logprobs: 0 }, [
    "top_logprobs: This model does not tell logprobs"
  ], "model-g"],
  ["no logprobs, for one that tells none", { logprobs: false }, [], "model-g"],
  ["five stops, for one that takes none of it", { stop: ["a", "b", "c", "d", "e"] }, [
    "stop: Must have at most 4 items"
  ], "model-g"]
]

const check = (version: ChatVersion) => ([about, fields, faults = [], model]: Row) =>
  it.effect(`${faults.length === 0 ? "takes" : "refuses"} ${about}`, () =>
    Effect.map(faultsOf(version, { ...bare(model), ...fields }), (found) => assert.deepStrictEqual(found, faults)))

describe("a body of v1", () => {
  ;[...both, ...onV1].forEach(check("v1"))
})

describe("a body of v2", () => {
  ;[...both, ...onV2].forEach(check("v2"))
})

const served: ReadonlyArray<readonly [model: unknown, v1: ReadonlyArray<string>, v2: ReadonlyArray<string>]> = [
  ["core-105b", [], []],
  ["core-105b-conversations", [], ["no such model"]],
  ["model-g", ["no such model"], []],
  ["model-v", ["no such model"], []],
  ["model-d", ["no such model"], []],
  ["Core-105b", ["no such model"], ["no such model"]],
  ["core-105b ", ["no such model"], ["no such model"]],
  ["toString", ["no such model"], ["no such model"]],
  ["", ["no such model"], ["no such model"]],
  [null, ["model: Must be a string"], ["model: Must be a string"]],
  [7, ["model: Must be a string"], ["model: Must be a string"]],
  [undefined, ["model: This field is required"], ["model: This field is required"]]
]

describe("the model of a body", () => {
  for (const [model, v1, v2] of served) {
    it.effect(`is looked for by its exact id: ${JSON.stringify(model)}`, () =>
      Effect.gen(function*() {
        const body = { ...bare(), model }
        assert.deepStrictEqual(yield* faultsOf("v1", body), v1)
        assert.deepStrictEqual(yield* faultsOf("v2", body), v2)
      }))
  }

  it.effect("is found before anything else of the body is looked at", () =>
    Effect.gen(function*() {
      const chat = yield* Chat
      assert.strictEqual(yield* chat.modelOf("v2", { model: "model-g", messages: 1 }), "model-g")
      assert.deepStrictEqual(yield* faultsOf("v2", { model: "model-x", messages: 1 }), ["no such model"])
    }).pipe(Effect.provide(reading)))

  it.effect("is one of the catalog that is there", () =>
    Effect.gen(function*() {
      const catalog = { "house-7b": { ...publicModels["core-105b"], routes: ["chat_v1"] as const } }
      const modelOf = (model: string) =>
        Effect.flatMap(Chat, (chat) => chat.modelOf("v1", { model })).pipe(
          Effect.provide(Layer.provide(reading, Layer.succeed(ModelCatalog, catalog)))
        )
      assert.strictEqual(yield* modelOf("house-7b"), "house-7b")
      assert.strictEqual((yield* Effect.flip(modelOf("core-105b")))._tag, "NotFound")
    }))

  for (const body of [null, undefined, [], "a", 1]) {
    it.effect(`is not looked for in ${JSON.stringify(body)}`, () =>
      Effect.map(
        faultsOf("v1", body),
        (found) =>
          assert.deepStrictEqual(found, [body === undefined ? ": This field is required" : ": Must be an object"])
      ))
  }
})

describe("what is told of a body", () => {
  it.effect("is at most a hundred things, and never what it held", () =>
    Effect.gen(function*() {
      const secret = "98765-43210"
      const messages = Array.from({ length: 500 }, () => ({ role: secret, content: { secret }, name: 7 }))
      const found = yield* faultsOf("v2", { ...bare(), messages, stop: [[secret]], tool_choice: secret })
      assert.isAtMost(found.length, 100)
      assert.isAbove(found.length, 40)
      assert.notInclude(found.join(), secret)
    }))

  it.live("is found out in pieces, between which others have their turn", () =>
    Effect.gen(function*() {
      let turns = 0
      const others = yield* Effect.fork(Effect.forever(Effect.zipRight(macroTask, Effect.sync(() => turns += 1))))
      const { asking } = yield* askedOf("v1", { ...bare(), messages: Array.from({ length: 20_000 }, () => user) })
      yield* Fiber.interrupt(others)
      assert.strictEqual(asking.request.messages.length, 20_000)
      assert.isAtLeast(turns, 300)
    }))

  it.live("is found out in pieces of one message as well", () =>
    Effect.gen(function*() {
      let turns = 0
      const others = yield* Effect.fork(Effect.forever(Effect.zipRight(macroTask, Effect.sync(() => turns += 1))))
      const content = Array.from({ length: 20_000 }, () => ({ type: "text", text: "a" }))
      yield* askedOf("v1", { ...bare(), messages: [{ role: "user", content }] })
      yield* Fiber.interrupt(others)
      assert.isAtLeast(turns, 300)
    }))
})
