export const user = { role: "user", content: "Hello" }

const call = { id: "call_1", type: "function", function: { name: "find", arguments: "{}" } }

const tool = { type: "function", function: { name: "find" } }

export const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }

const textParts = [{ type: "text", text: "Hel" }, { type: "text", text: "lo" }]

const many = <A>(item: (index: number) => A) => Array.from({ length: 2_500 }, (_, index) => item(index))

const choiceOf = (name: string) => ({ type: "function", function: { name } })

const schema = (fields: object) => ({ response_format: { type: "json_schema", json_schema: fields } })

export type Row = readonly [about: string, fields: object, faults?: ReadonlyArray<string>, model?: string]

export const onBoth: ReadonlyArray<Row> = [
  ["only messages and a model", {}],
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
  ["unknown fields", { user: "u", store: "yes", metadata: { a: 1 } }],

  ["the lowest temperature", { temperature: 0 }],
  ["the highest temperature", { temperature: 2 }],
  ["a temperature below 0", { temperature: -0.1 }, ["temperature: Must be at least 0"]],
  ["a temperature above 2", { temperature: 2.1 }, ["temperature: Must be at most 2"]],
  ["a temperature as text", { temperature: "1" }, ["temperature: Must be a number or null"]],
  ["a top_p of 1", { top_p: 1 }],
  ["a top_p of 0", { top_p: 0 }],
  ["a top_p below 0", { top_p: -0.01 }, ["top_p: Must be at least 0"]],
  ["a top_p above 1", { top_p: 1.01 }, ["top_p: Must be at most 1"]],
  ["the lowest and highest penalties", { frequency_penalty: -2, presence_penalty: 2 }],
  ["penalties out of range", { frequency_penalty: -2.1, presence_penalty: 2.1 }, [
    "frequency_penalty: Must be at least -2",
    "presence_penalty: Must be at most 2"
  ]],

  ["a max_tokens of 1", { max_tokens: 1 }],
  ["a max_completion_tokens of 0", { max_completion_tokens: 0 }, ["max_completion_tokens: Must be at least 1"]],
  ["a max_tokens of 0", { max_tokens: 0 }, ["max_tokens: Must be at least 1"]],
  ["a fraction of tokens", { max_tokens: 1.5 }, ["max_tokens: Must be a whole number"]],
  ["tokens as text", { max_tokens: "10" }, ["max_tokens: Must be a whole number or null"]],
  ["a max_tokens above 2 ** 31 - 1", { max_tokens: 3_000_000_000 }, ["max_tokens: Must be at most 2147483647"]],
  ["the most choices", { n: 128 }],
  ["no choices", { n: 0 }, ["n: Must be at least 1"]],
  ["too many choices", { n: 129 }, ["n: Must be at most 128"]],
  ["a negative seed", { seed: -7 }],
  ["a fractional seed", { seed: 0.5 }, ["seed: Must be a whole number"]],

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
  ["a stop that is a number", { stop: 7 }, ["stop: Must be a string, a list or null"]],

  ["a low effort", { reasoning_effort: "low" }],
  ["a medium effort", { reasoning_effort: "medium" }],
  ["a null effort", { reasoning_effort: null }],
  ["an unknown effort", { reasoning_effort: "none" }, [
    "reasoning_effort: Must be \"low\", \"medium\", \"high\", \"max\" or null"
  ]],
  ["logprobs", { logprobs: true, top_logprobs: 20 }],
  ["logprobs without alternatives", { logprobs: true, top_logprobs: 0 }],
  ["too many top_logprobs", { logprobs: true, top_logprobs: 21 }, ["top_logprobs: Must be at most 20"]],
  ["top_logprobs without logprobs", { top_logprobs: 0 }, ["top_logprobs: Needs logprobs to be true"]],

  ["a tool", { tools: [tool] }],
  ["no tools", { tools: [] }],
  ["a tool with all fields", {
    tools: [{ type: "function", function: { name: "a-B_9", description: "d", parameters: {}, strict: true } }]
  }],
  ["a tool with null fields", {
    tools: [{ type: "function", function: { name: "a", description: null, parameters: null, strict: null } }]
  }],
  ["a tool in the shape of the Responses API", { tools: [{ type: "function", name: "find", parameters: {} }] }, [
    "tools.0.function: Put name, description and parameters into an object under this key"
  ]],
  ["an empty tool", { tools: [{}] }, [
    "tools.0.type: This field is required",
    "tools.0.function: This field is required"
  ]],
  ["a tool of another type", { tools: [{ ...tool, type: "web_search" }] }, ["tools.0.type: Must be \"function\""]],
  ["a function without a name", { tools: [choiceOf("")] }, [
    "tools.0.function.name: Must match the pattern ^[A-Za-z0-9_-]{1,64}$"
  ]],
  ["a function with too long a name", { tools: [choiceOf("a".repeat(65))] }, [
    "tools.0.function.name: Must match the pattern ^[A-Za-z0-9_-]{1,64}$"
  ]],
  [
    "a function whose parameters are a list",
    { tools: [{ type: "function", function: { name: "a", parameters: [] } }] },
    [
      "tools.0.function.parameters: Must be an object or null"
    ]
  ],
  ["two functions with the same name", { tools: [tool, choiceOf("other"), tool] }, [
    "tools.2.function.name: Another function has this name"
  ]],
  ["tools that are not a list", { tools: tool }, ["tools: Must be a list or null"]],
  ["parallel_tool_calls as text", { tools: [tool], parallel_tool_calls: "no" }, [
    "parallel_tool_calls: Must be true or false or null"
  ]],
  ["a required tool choice", { tools: [tool], tool_choice: "required" }],
  ["a named tool choice", { tools: [tool], tool_choice: choiceOf("find") }],
  ["auto without tools", { tool_choice: "auto" }],
  ["none without tools", { tool_choice: "none" }],
  ["a required choice without tools", { tool_choice: "required" }, ["tool_choice: Needs tools"]],
  ["a required choice with an empty tool list", { tools: [], tool_choice: "required" }, ["tool_choice: Needs tools"]],
  ["a named choice without tools", { tool_choice: choiceOf("find") }, ["tool_choice: Needs tools"]],
  ["a choice of an unknown tool", { tools: [tool], tool_choice: choiceOf("other") }, [
    "tool_choice.function.name: None of the tools has this name"
  ]],
  ["an unknown tool choice", { tools: [tool], tool_choice: "any" }, [
    "tool_choice: Must be \"none\", \"auto\", \"required\", an object or null"
  ]],

  ["text", { response_format: { type: "text" } }],
  ["JSON", { response_format: { type: "json_object" } }],
  ["JSON with a schema", schema({ name: "answer_1", schema: {}, description: null, strict: null })],
  ["invalid schemas", {
    ...schema({ name: "a", schema: { type: "everything" } }),
    tools: [tool, { type: "function", function: { name: "other", parameters: { properties: 7 } } }]
  }, [
    "tools.1.function.parameters: Must have an object of schemas in \"properties\"",
    "response_format.json_schema.schema: Must have one or more of array, boolean, integer, null, number, object, string in \"type\""
  ]],
  ["a JSON schema without a name", schema({ schema: {} }), [
    "response_format.json_schema.name: This field is required"
  ]],
  ["a JSON schema without the schema", schema({ name: "a" }), [
    "response_format.json_schema.schema: This field is required"
  ]],
  ["a JSON schema with the longest name", schema({ name: "a-B_9".padEnd(64, "x"), schema: {} })],
  ["a JSON schema with too long a name", schema({ name: "a".repeat(65), schema: {} }), [
    "response_format.json_schema.name: Must match the pattern ^[A-Za-z0-9_-]{1,64}$"
  ]],
  ["a JSON schema with an invalid name", schema({ name: "a b", schema: {} }), [
    "response_format.json_schema.name: Must match the pattern ^[A-Za-z0-9_-]{1,64}$"
  ]],
  ["a schema in the shape of the Responses API", { response_format: { type: "json_schema", name: "a", schema: {} } }, [
    "response_format.json_schema: This field is required"
  ]],
  ["an unknown format", { response_format: { type: "xml" } }, [
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
  ["messages that are not a list", { messages: "Hello" }, ["messages: Must be a list"]],
  ["a message that is a string", { messages: ["Hello"] }, ["messages.0: Must be an object"]],
  ["a message without a role", { messages: [{ content: "Hello" }] }, ["messages.0.role: This field is required"]],
  ["a message with an empty role", { messages: [{ role: "", content: "a" }] }, [
    "messages.0.role: Must have at least 1 character"
  ]],
  ["a user message without content", { messages: [{ role: "user" }] }, ["messages.0.content: This field is required"]],
  ["a user message with null content", { messages: [{ role: "user", content: null }] }, [
    "messages.0.content: Must be a string or a list"
  ]],
  ["text in parts", { messages: [{ role: "user", content: [{ type: "text", text: "Hello" }], name: null }] }],
  ["a text part without text", { messages: [{ role: "user", content: [{ type: "text" }] }] }, [
    "messages.0.content.0.text: This field is required"
  ]],
  ["text in parts in every role", {
    messages: [
      { role: "system", content: textParts },
      { role: "developer", content: textParts },
      { role: "user", content: textParts },
      { role: "assistant", content: [...textParts, { type: "refusal", refusal: "No." }] },
      { role: "assistant", content: textParts, tool_calls: [call] },
      { role: "tool", tool_call_id: "call_1", content: textParts },
      { role: "narrator", content: textParts }
    ]
  }],
  ...["system", "developer", "assistant", "tool"].map((role): Row => [
    `images in ${role} messages`,
    { messages: [{ role, tool_call_id: "call_1", content: [image] }] },
    [
      `messages.0.content.0.type: Must be "text"${role === "assistant" ? " or \"refusal\"" : ""}`,
      ...(role === "assistant" ? [] : ["messages.0.content.0.text: This field is required"])
    ]
  ]),
  ["a system message with null content", { messages: [{ role: "system", content: null }] }, [
    "messages.0.content: Must be a string or a list"
  ]],
  ["many parts and many calls", {
    messages: [
      { role: "user", content: many(() => ({ type: "text", text: "" })) },
      { role: "assistant", tool_calls: many((index) => ({ ...call, id: `call_${index}` })) }
    ]
  }],
  ["an earlier refusal", { messages: [user, { role: "assistant", content: null, refusal: "No." }, user] }],
  ["an assistant message with null content", { messages: [{ role: "assistant", content: null }] }],
  ["an assistant message with null content and an empty call list", {
    messages: [{ role: "assistant", content: null, tool_calls: [] }]
  }],
  ["an empty assistant message", { messages: [{ role: "assistant" }] }, [
    "messages.0.content: May only be left out where there are tool_calls or a refusal"
  ]],
  ["an assistant message with only an empty call list", { messages: [{ role: "assistant", tool_calls: [] }] }, [
    "messages.0.content: May only be left out where there are tool_calls or a refusal"
  ]],
  ["an assistant message with a number as content", { messages: [{ role: "assistant", content: 7 }] }, [
    "messages.0.content: Must be a string, a list or null"
  ]],
  ["a call whose arguments are an object", {
    messages: [{ role: "assistant", tool_calls: [{ ...call, function: { name: "find", arguments: {} } }] }]
  }, ["messages.0.tool_calls.0.function.arguments: Must be a string"]],
  ["a call without an id", { messages: [{ role: "assistant", tool_calls: [{ ...call, id: undefined }] }] }, [
    "messages.0.tool_calls.0.id: This field is required"
  ]],
  ["a result of an unknown call", { messages: [{ role: "tool", tool_call_id: "call_9", content: "" }] }],
  ["a result without a tool_call_id", { messages: [{ role: "tool", content: "42" }] }, [
    "messages.0.tool_call_id: This field is required"
  ]],
  ["several issues at once", {
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
