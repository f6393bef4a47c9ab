import { assert, describe } from "@effect/vitest"
import type { ToolCall } from "@trunkline/agents"
import { AppId, AttemptId, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import {
  type ListedTool,
  makeMcpTools,
  type McpResult,
  type McpTools,
  type OpenSession,
  type SessionEvents
} from "@trunkline/mcp"
import { Effect, Logger } from "effect"

const call: ToolCall = {
  attempt_id: AttemptId.make("00000000-0000-7000-8000-000000000000"),
  scope: new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") }),
  app_id: AppId.make("desk"),
  app_version: 1,
  direction: "inbound",
  user_phone_number: PhoneNumber.make("+919800000001"),
  agent_phone_number: PhoneNumber.make("+911140000001"),
  variables: {},
  language_name: "English",
  digits: {}
}

const listed = (...names: ReadonlyArray<string>): ReadonlyArray<ListedTool> =>
  names.map((name) => ({ name, description: name, inputSchema: { type: "object", properties: {} } }))

/** A server in memory, which may be away, and what was asked of it. */
const makeServer = (results: Readonly<Record<string, () => Promise<McpResult>>> = {}) => {
  const state = { isAway: false, tools: listed("book", "sing"), openings: 0, closings: 0 }
  let events: SessionEvents | undefined
  const open: OpenSession = async (_server, given) => {
    state.openings += 1
    if (state.isAway) throw Object.assign(new Error("away"), { code: "ECONNREFUSED" })
    events = given
    return {
      listTools: async () => state.tools,
      callTool: async (name) => (await results[name]?.()) ?? { content: [{ type: "text", text: `${name} done` }] },
      close: async () => void (state.closings += 1)
    }
  }
  return { state, open, lose: () => events?.onClosed(), change: () => events?.onToolsChanged() }
}

const namesOf = (tools: McpTools) => tools.of(["desk"]).tools.map(({ name }) => name)

const use = (tools: McpTools, name: string) =>
  (tools.of(["desk"]).handlers[name] ?? assert.fail(`no tool ${name}`))({}, call).pipe(
    Effect.map(({ content }) => String(content)),
    Effect.catchAll(({ message }) => Effect.succeed(`failed: ${message}`))
  )

const quiet = Effect.provide(Logger.remove(Logger.defaultLogger))

describe("tools of an MCP server", () => {
  virtualTest(
    "are those of the servers that are asked for, and the sessions end with the scope",
    () =>
      Effect.gen(function*() {
        const server = makeServer()
        yield* Effect.scoped(Effect.gen(function*() {
          const tools = yield* makeMcpTools({ servers: [{ name: "desk", command: "x" }], open: server.open })
          assert.deepStrictEqual(namesOf(tools), ["book", "sing"])
          assert.deepStrictEqual(tools.of(["other"]).tools, [])
          assert.strictEqual(yield* use(tools, "book"), "book done")
        }))
        assert.deepStrictEqual([server.state.openings, server.state.closings], [1, 1])
      }).pipe(quiet)
  )

  virtualTest("stay while the server is away, which is tried again with growing pauses", () =>
    Effect.gen(function*() {
      const server = makeServer()
      const tools = yield* makeMcpTools({ servers: [{ name: "desk", command: "x" }], open: server.open })
      server.state.isAway = true
      server.lose()
      yield* Effect.sleep("10 seconds")
      const openings = server.state.openings
      assert.isAtLeast(openings, 4)
      assert.isAtMost(openings, 7)
      assert.deepStrictEqual(namesOf(tools), ["book", "sing"])
      yield* Effect.sleep("1 hour")
      assert.isAtMost(server.state.openings, openings + 70)
      assert.strictEqual(
        yield* use(tools, "book"),
        "failed: The server desk cannot be used now: it refused the connection."
      )
      server.state.isAway = false
      yield* Effect.sleep("1 second")
      assert.strictEqual(yield* use(tools, "book"), "book done")
    }).pipe(quiet))

  virtualTest("change with the server's list, and one that has vanished says so", () =>
    Effect.gen(function*() {
      const gone = Object.assign(new Error("Tool book not found"), { code: -32_602 })
      const server = makeServer({ book: () => Promise.reject(gone) })
      const tools = yield* makeMcpTools({ servers: [{ name: "desk", command: "x" }], open: server.open })
      const handler = tools.of(["desk"]).handlers["book"] ?? assert.fail("no tool")
      server.state.tools = listed("dance")
      server.change()
      yield* Effect.sleep("1 second")
      assert.deepStrictEqual(namesOf(tools), ["dance"])
      const { message } = yield* Effect.flip(handler({}, call))
      assert.strictEqual(message, "The server desk has no tool book any more.")
    }).pipe(quiet))

  virtualTest("are bounded in number, and unusable ones are left out", () =>
    Effect.gen(function*() {
      const server = makeServer()
      server.state.tools = [
        ...listed("end_call", "has space"),
        { name: "wrong", inputSchema: { type: "array" } },
        ...listed(...Array.from({ length: 10_000 }, (_, index) => `tool_${index}`))
      ]
      const tools = yield* makeMcpTools({ servers: [{ name: "desk", command: "x" }], open: server.open })
      assert.deepStrictEqual([namesOf(tools).length, namesOf(tools)[0]], [64, "tool_0"])
    }).pipe(quiet))

  virtualTest("fail with what the server says, without its session", () =>
    Effect.gen(function*() {
      const wrong = Object.assign(new Error("people is missing"), { code: -32_602 })
      const server = makeServer({
        book: () => Promise.reject(wrong),
        sing: async () => ({ content: [{ type: "text", text: "No voice." }], isError: true })
      })
      const tools = yield* makeMcpTools({ servers: [{ name: "desk", command: "x" }], open: server.open })
      const { kind } = yield* Effect.flip((tools.of(["desk"]).handlers["book"] ?? assert.fail("no tool"))({}, call))
      assert.strictEqual(kind, "arguments")
      assert.strictEqual(yield* use(tools, "sing"), "failed: No voice.")
      assert.strictEqual(server.state.openings, 1)
    }).pipe(quiet))

  virtualTest(
    "fail by the server, and not by their arguments, when its answer is not what it says itself",
    () =>
      Effect.gen(function*() {
        const unfit = "Structured content does not match the tool's output schema: #: Property a"
        const error = (message: string, fields: object) => () =>
          Promise.reject(Object.assign(new Error(message), fields))
        const server = makeServer({
          book: error(unfit, { code: -32_602 }),
          swim: error(
            `Invalid result for tools/list: [ { "code": "x", "path": [\n "tools",\n 0,\n "inputSchema" ], "message": "no" } ]`,
            { code: "INVALID_RESULT" }
          ),
          sing: error("[ { \"code\": \"invalid_union\" } ]", { issues: [{ code: "invalid_union" }] })
        })
        server.state.tools = listed("book", "sing", "swim")
        const tools = yield* makeMcpTools({ servers: [{ name: "desk", command: "x" }], open: server.open })
        const failure = yield* Effect.flip((tools.of(["desk"]).handlers["book"] ?? assert.fail("no tool"))({}, call))
        assert.notStrictEqual(failure.kind, "arguments")
        assert.strictEqual(
          failure.message,
          "The server desk gave an answer that does not fit its own schema: #: Property a."
        )
        assert.strictEqual(
          yield* use(tools, "sing"),
          "failed: The server desk gave an answer that is not of the protocol."
        )
        assert.strictEqual(
          yield* use(tools, "swim"),
          "failed: The server desk gave an answer that is not of the protocol, at tools.0.inputSchema."
        )
      }).pipe(quiet)
  )
})
