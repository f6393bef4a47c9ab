import { assert, describe } from "@effect/vitest"
import { BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { type ListedTool, makeMcpTools, type McpTools, type OpenSession } from "@trunkline/mcp"
import { Effect, Layer, Logger } from "effect"

const book: ListedTool = { name: "book", description: "Books", inputSchema: { type: "object", properties: {} } }

const never = () => new Promise<never>(() => {})

/** Twenty servers. */
const servers = Array.from({ length: 20 }, (_, index) => ({ name: `desk-${index}`, command: "x" }))
const names = servers.map(({ name }) => name)

const namesOf = (tools: McpTools, server: string) => tools.of([server]).tools.map(({ name }) => name)

/** Starts, and tells the tools with the time that it took in milliseconds. */
const start = (open: OpenSession, settings: { readonly connect_seconds?: number } = {}) =>
  Effect.gen(function*() {
    const began = yield* BusinessTime.now
    const tools = yield* makeMcpTools({ servers: servers.map((server) => ({ ...server, ...settings })), open })
    return { tools, millis: (yield* BusinessTime.now) - began }
  })

/** Tools that come when they are told to. */
const comes = () => {
  let resolve = (_tools: ReadonlyArray<ListedTool>): void => {}
  const promise = new Promise<ReadonlyArray<ListedTool>>((come) => void (resolve = come))
  return { promise, resolve: (tools: ReadonlyArray<ListedTool>) => resolve(tools) }
}

const logged = (lines: Array<string>) =>
  Effect.provide(Layer.provideMerge(
    Logger.add(Logger.make(({ message }) => void lines.push(String(message)))),
    Logger.remove(Logger.defaultLogger)
  ))

describe("many MCP servers", () => {
  virtualTest(
    "that open sessions, and neither list their tools nor end, hold up the start for five seconds at most",
    () => {
      const lines: Array<string> = []
      return Effect.gen(function*() {
        const dead: OpenSession = async () => ({ listTools: never, callTool: never, close: never })
        const { millis } = yield* start(dead)
        assert.isAtMost(millis, 5_000)
        yield* Effect.sleep("4 seconds")
        for (const name of names) assert.include(lines, `MCP server ${name} did not answer in time`)
      }).pipe(logged(lines))
    }
  )

  virtualTest("that take their time are named, and used once they come", () => {
    const lines: Array<string> = []
    return Effect.gen(function*() {
      const { promise, resolve } = comes()
      const slow: OpenSession = async ({ name }) => ({
        listTools: () => name === "desk-3" ? promise : Promise.resolve([book]),
        callTool: never,
        close: async () => {}
      })
      const { millis, tools } = yield* start(slow, { connect_seconds: 60 })
      assert.strictEqual(millis, 5_000)
      assert.include(lines.join(), "MCP servers that are not there after 5 seconds: desk-3. Calls have")
      assert.deepStrictEqual([namesOf(tools, "desk-3"), namesOf(tools, "desk-4")], [[], ["book"]])
      resolve([book])
      yield* Effect.sleep("1 second")
      assert.deepStrictEqual(namesOf(tools, "desk-3"), ["book"])
    }).pipe(logged(lines))
  })
})
