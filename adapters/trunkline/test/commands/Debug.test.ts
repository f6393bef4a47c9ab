import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { debugOver } from "../../src/commands/DebugCommand.js"
import { commandsIn, temporaryFolder } from "./Commands.js"

const folder = temporaryFolder()
const run = commandsIn(folder.path)

/** Runs a debugger over lines; returns what it prints. */
const debugged = async (flags: Readonly<Record<string, string | boolean>>, lines: ReadonlyArray<string>) => {
  const out: Array<string> = []
  const given = async function*() {
    yield* lines
  }
  const call = {
    flags,
    operands: [],
    environment: {},
    folder: folder.path,
    print: (line: string) => void out.push(line)
  }
  await debugOver(call, given)
  return out
}

beforeAll(() => {
  writeFileSync(join(folder.path, "desk.json"), JSON.stringify({ app_id: "desk", first_message: "Hello {{name}}." }))
  writeFileSync(join(folder.path, "tools.json"), JSON.stringify({ find_table: "table 4" }))
})
afterAll(() => folder.remove())

describe("trunkline debug", () => {
  it("talks line by line, shows what the model was sent, steps back and begins again", async () => {
    const lines = [
      `say "A table"`,
      "sent",
      "variables",
      "history",
      "back",
      "back",
      "restart",
      "hangup",
      "say hello",
      "quit",
      "say no"
    ]
    const out = await debugged({ agent: "desk.json", variables: `{"name":"Asha"}`, tools: "tools.json" }, lines)
    const text = out.join("\n")
    assert.strictEqual(out[0], "agent: Hello Asha.")
    assert.include(text, "user: A table\nagent: ")
    assert.include(text, "system: You are Assistant")
    assert.include(text, `name = "Asha"`)
    assert.include(text, "There is no move to take back")
    assert.strictEqual(out.filter((line) => line === "agent: Hello Asha.").length, 3)
    assert.include(text, "The call is over after 1 s: partial, ended by user")
    assert.strictEqual(out.at(-1), "The call is over: back or restart goes on")
  })

  it("answers each line with a line of JSON for programs", async () => {
    const out = await debugged({ agent: "desk.json", json: true }, ["say hello", "nonsense", "press x", "help"])
    const [first, second, third, fourth] = out.map((line): Readonly<Record<string, unknown>> => JSON.parse(line))
    assert.deepInclude(first, { moves: 0, ended: null })
    assert.deepInclude(second, { moves: 1 })
    assert.deepStrictEqual(third, { error: "There is no command nonsense: help lists them" })
    assert.deepStrictEqual(fourth, { error: "Write keys, such as press 12#" })
    assert.lengthOf(out, 5)
  })

  it("says what is wrong with its command line", async () => {
    assert.include((await run("debug")).err, "Name an agent with --agent")
    assert.include((await run("debug", "--agent", "desk.json", "--variables", "x")).err, "JSON object of texts")
    assert.include((await run("debug", "--agent", "nothing.json")).err, "cannot be read")
    assert.include((await run("debug", "--agent", "tools.json")).err, "app_id")
    assert.include((await run("debug", "--agent", "desk.json", "--tools", "none.json")).err, "cannot be read")
  })
})
