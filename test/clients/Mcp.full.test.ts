import { assert, describe, it } from "@effect/vitest"
import { inspectServer, type McpServer } from "@trunkline/mcp"
import { Duration, Effect, Option } from "effect"
import { eras, namesOf, overStdio, startHttp, until, use, withTools } from "./mcp/Peers.js"

const booking = { people: 2, when: "eight" }

interface Way {
  readonly name: string
  readonly open: () => Promise<{ readonly server: McpServer; readonly stop: () => Promise<void> }>
  readonly isStdio: boolean
}

const ways = eras.flatMap((era): ReadonlyArray<Way> => [
  { name: `${era} over stdio`, isStdio: true, open: async () => ({ server: overStdio(era), stop: async () => {} }) },
  { name: `${era} over HTTP`, isStdio: false, open: () => startHttp(era) }
])

describe.each(ways)("an MCP server, $name", ({ isStdio, open }) => {
  it("has its tools, and what they answer is told in words", async () => {
    const { server, stop } = await open()
    await withTools(server, (tools) =>
      Effect.gen(function*() {
        assert.includeMembers([...namesOf(tools)], ["book_table", "picture", "hang"])
        const [book] = tools.of(["booking"]).tools.filter(({ name }) => name === "book_table")
        assert.deepInclude(book?.parameters, { type: "object", required: ["people", "when"] })
        assert.strictEqual(yield* use(tools, "book_table", booking), "Booked for 2 at eight")
        assert.strictEqual(yield* use(tools, "refuse"), "failed: We are closed on Mondays.")
        assert.match(yield* use(tools, "picture"), /^\[image image\/png, 30 kB, which cannot be told on the phone\]$/)
        assert.match(yield* use(tools, "long"), /^word .*… \(cut, of 20000 characters\)$/s)
      }))
    await stop()
  })

  it("may hang and flood, which are clear errors, and its other tools go on", async () => {
    const { server, stop } = await open()
    await withTools(server, (tools) =>
      Effect.gen(function*() {
        const hung = yield* Effect.timeoutOption(use(tools, "hang"), Duration.millis(300))
        assert.isTrue(Option.isNone(hung))
        const flood = yield* use(tools, "flood")
        assert.match(flood, /^failed: The server booking .*\.$/s)
        assert.isBelow(flood.length, 500)
        yield* until(use(tools, "book_table", booking), (told) => told === "Booked for 2 at eight")
      }))
    await stop()
  })

  it.runIf(isStdio)("may die, and is started again", async () => {
    const { server } = await open()
    await withTools(server, (tools) =>
      Effect.gen(function*() {
        assert.match(yield* use(tools, "die"), /^failed: The server booking .*connection/)
        assert.include(namesOf(tools), "book_table")
        yield* until(use(tools, "book_table", booking), (told) => told === "Booked for 2 at eight")
      }))
  })

  it("has only the tools that the settings name, with their policies", async () => {
    const { server, stop } = await open()
    const tools = [{ name: "book_table", once: true, filler: "One second." }, "long", "sing"]
    await withTools({ ...server, tools }, (all) =>
      Effect.sync(() => {
        assert.deepStrictEqual([...namesOf(all)].sort(), ["book_table", "long"])
        const [book] = all.of(["booking"]).tools.filter(({ name }) => name === "book_table")
        assert.deepInclude(book, { once: true, filler: "One second." })
      }))
    assert.deepStrictEqual((await inspectServer({ ...server, tools })).problems, ["it has no tool sing"])
    await stop()
  })
})

describe("an MCP server of 2025", () => {
  it.each([true, false])("tells that its tools have changed (over stdio: %s)", async (isStdio) => {
    const peer = isStdio ? { server: overStdio("legacy"), stop: async () => {} } : await startHttp("legacy")
    await withTools(peer.server, (tools) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* use(tools, "rename"), "Soon")
        yield* until(Effect.sync(() => namesOf(tools)), (names) =>
          names.includes("appeared") && !names.includes("vanishing"))
        assert.strictEqual(yield* use(tools, "appeared"), "Hello")
      }))
    await peer.stop()
  })
})

describe("an MCP server of 2026", () => {
  it("tells that its tools have changed", async () => {
    await withTools(overStdio("modern"), (tools) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* use(tools, "rename"), "Soon")
        yield* until(Effect.sync(() => namesOf(tools)), (names) =>
          names.includes("appeared") && !names.includes("vanishing"))
        assert.strictEqual(yield* use(tools, "appeared"), "Hello")
      }))
  })
})

describe.each(eras)("an MCP server over HTTP, %s", (era) => {
  it("gets its key, and refuses another one, which says so", async () => {
    const { server, stop } = await startHttp(era, { BOOKING_TOKEN: "sesame-1" })
    const guarded = { ...server, headers: { authorization: "Bearer {{secrets.booking}}" } }
    await withTools(
      guarded,
      (tools) =>
        Effect.map(use(tools, "book_table", booking), (told) => assert.strictEqual(told, "Booked for 2 at eight")),
      {
        booking: "sesame-1"
      }
    )
    const { problems, tools } = await inspectServer(guarded, { secrets: { booking: "wrong" } })
    assert.deepStrictEqual([problems, tools], [["it refuses our key (401)"], []])
    await stop()
  })

  it("may go away and come back, and its tools work again", async () => {
    const first = await startHttp(era)
    const port = Number(new URL(first.server.url ?? "").port)
    await withTools(first.server, (tools) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* use(tools, "book_table", booking), "Booked for 2 at eight")
        yield* Effect.promise(first.stop)
        assert.match(yield* use(tools, "book_table", booking), /^failed: The server booking /)
        const second = yield* Effect.promise(() => startHttp(era, {}, port))
        yield* until(use(tools, "book_table", booking), (told) => told === "Booked for 2 at eight")
        yield* Effect.promise(second.stop)
      }))
  })
})

describe("an MCP server that is none", () => {
  it.each([
    [{ name: "no", command: "no-such-program-anywhere" }, /there is no such program/],
    [{ name: "quiet", command: "sleep", args: ["60"], connect_seconds: 1 }, /did not answer in time/],
    [{ name: "chatty", command: "yes", args: ["{\"jsonrpc\": \"1\"}"], connect_seconds: 2 }, /./],
    [{ name: "dead", command: "false" }, /has ended the connection|did not answer in time|failed/],
    [{ name: "away", url: "http://127.0.0.1:9/mcp" }, /refused the connection|failed/]
  ])("says why: %j", async (server, reason) => {
    const { problems, tools } = await inspectServer(server)
    assert.deepStrictEqual(tools, [])
    assert.match(problems.join(), reason)
  })
})
