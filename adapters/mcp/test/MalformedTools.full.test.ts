import { assert, describe, it } from "@effect/vitest"
import { inspectServer } from "@trunkline/mcp"

const sound = { name: "book", description: "Books a table", inputSchema: { type: "object", properties: {} } }

/** Tools of a server, and their faults as a warning tells them. */
const malformed = [
  [{ ...sound, name: 7 }, /^the tool without a name cannot be used: name: /],
  [{ ...sound, name: "has space" }, /^the tool has space cannot be used: name: /],
  [{ ...sound, name: "text", inputSchema: "object" }, /^the tool text cannot be used: inputSchema: /],
  [{ ...sound, name: "list", inputSchema: { type: "array" } }, /^the tool list cannot be used: inputSchema.type: /],
  [{ name: "bare" }, /^the tool bare cannot be used: inputSchema: /],
  [{ ...sound, name: "story", description: { text: "long" } }, /^the tool story cannot be used: description: /],
  [{ ...sound, name: "out", outputSchema: { type: 4 } }, /^the tool out cannot be used: outputSchema.type: /],
  [
    { ...sound, name: "need", outputSchema: { type: "object", required: [1] } },
    /^the tool need .* outputSchema.required/
  ],
  [null, /^the tool without a name cannot be used: /]
] as const

/** Program that serves tools over its standard input and output, one message a line. */
const program = (tools: unknown) => `
  const results = {
    initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "double", version: "1" } },
    "tools/list": { tools: ${JSON.stringify(tools)} }
  }
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line)
    if (id === undefined) return
    const result = results[method]
    const answer = result === undefined ? { error: { code: -32601, message: "Method not found" } } : { result }
    console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }))
  })`

const inspect = (tools: unknown) =>
  inspectServer({ name: "desk", command: process.execPath, args: ["-e", program(tools)] })

describe("a malformed tool of an MCP server", () => {
  it.each(malformed)("is left out with its reason, and the others are used: %j", async (tool, fault) => {
    const { problems, tools } = await inspect([tool, sound])
    assert.deepStrictEqual(tools.map(({ name }) => name), ["book"])
    assert.lengthOf(problems, 1)
    assert.match(problems[0] ?? "", fault)
  })
})
