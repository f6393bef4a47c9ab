import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
// Loaded here, since that takes longer than a test may.
import "../../src/commands/DebugCommand.js"
import "../../src/commands/EvaluateCommand.js"
import "../../src/commands/ReplayCommand.js"
import "../../src/commands/TestFromCommand.js"
import { commandsIn, temporaryFolder } from "./Commands.js"

const folder = temporaryFolder()
const run = commandsIn(folder.path)
const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text)
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`

afterAll(() => folder.remove())

describe("commands that read files of others", () => {
  it("say that a file is nested too deeply, without a stack", async () => {
    write("bomb.json", `{ "app_id": "desk", "first_message": ${nested(20_000)} }`)
    for (const command of ["debug", "replay"]) {
      const { code, err } = await run(command, "--agent", "bomb.json")
      assert.strictEqual(code, 1)
      assert.include(err, "nested too deeply")
      assert.notInclude(err, "    at ")
    }
  })

  it("tell of tasks and of a module that cannot be read", async () => {
    write("bomb-tasks.json", nested(20_000))
    write("tasks.json", "[]")
    const agents = "agents: { a: { app_id: 'a', first_message: 'x' } }, model: {}, caller: { model: {} }"
    write("agents.mjs", `export const evaluation = { ${agents} }`)
    write("none.mjs", "export const evaluation = { agents: null, model: 1, caller: 2 }")
    write("exit.mjs", "process.exit(0)")
    const messageOf = async (tasks: string, module: string) => {
      const { code, err } = await run("evaluate", "--tasks", tasks, "--agents", module)
      assert.strictEqual(code, 1)
      assert.notInclude(err, "    at ")
      return err
    }
    assert.include(await messageOf("bomb-tasks.json", "agents.mjs"), "nested too deeply")
    assert.strictEqual(await messageOf("gone.json", "agents.mjs"), "--tasks: There is no file gone.json")
    assert.strictEqual(await messageOf("tasks.json", "gone.mjs"), "--agents: There is no file gone.mjs")
    assert.include(await messageOf("tasks.json", "none.mjs"), "exports no evaluation")
    assert.include(await messageOf("tasks.json", "exit.mjs"), "It called process.exit(0)")
  })

  it("leave control characters out of what they print", async () => {
    const { code, err } = await run("replay", "--agent", "desk\u001b[2J\u0007.json")
    assert.strictEqual(code, 1)
    assert.include(err, "desk\uFFFD[2J\uFFFD.json cannot be read")
  })

  it("write a test into a folder that is not there yet only once the trace is read", async () => {
    write("cut.trace", "{}\n")
    const { code, err } = await run("test-from", "cut.trace", "--out", "new/complaint.test.ts")
    assert.strictEqual(code, 1)
    assert.include(err, "no header of a trace")
    assert.isFalse(existsSync(join(folder.path, "new")))
  })
})
