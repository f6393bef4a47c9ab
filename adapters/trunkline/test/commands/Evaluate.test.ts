import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
// Loaded here, since that takes longer than a test may.
import "../../src/commands/EvaluateCommand.js"
import { commandsIn, temporaryFolder } from "./Commands.js"

const folder = temporaryFolder()
const run = commandsIn(folder.path)
const at = (name: string) => join(folder.path, name)

beforeAll(() => {
  writeFileSync(
    at("tasks.json"),
    JSON.stringify({
      id: "hours",
      user_scenario: { instructions: "Ask until when the desk is open." },
      evaluation_criteria: { communicate_info: ["nine"], reward_basis: ["COMMUNICATE"] }
    })
  )
  writeFileSync(
    at("versions.mjs"),
    `const agent = (first_message) => ({ app_id: "desk", first_message })
    export const evaluation = {
      agents: { old: agent("Hello."), new: agent("Hello, we are open until nine.") },
      model: { generate: async () => "One moment." },
      caller: { model: { generate: async () => "Thanks. [hangs up]" } }
    }`
  )
  writeFileSync(at("other.mjs"), "export const other = 1")
})
afterAll(() => folder.remove())

describe("npx trunkline evaluate", () => {
  it("prints a table with a row for each version", async () => {
    const { code, err, out } = await run("evaluate", "--tasks", "tasks.json", "--agents", "versions.mjs", "--runs", "2")
    assert.deepStrictEqual([code, err], [0, ""])
    assert.match(out, /^version +tasks +pass\^1 +pass\^2 +call +failures$/m)
    assert.match(out, /^old +1 +0\.0 % +0\.0 % /m)
    assert.match(out, /^new +1 +100\.0 % +100\.0 % /m)
  })

  it("runs one version, and prints JSON", async () => {
    const args = ["--tasks", "tasks.json", "--agents", "versions.mjs", "--version", "new", "--json"]
    const { versions } = JSON.parse((await run("evaluate", ...args)).out)
    assert.deepStrictEqual(versions.map(({ passPowers, version }: Record<string, unknown>) => [version, passPowers]), [
      ["new", [1]]
    ])
  })

  it("tells what is missing", async () => {
    const messageOf = async (...args: ReadonlyArray<string>) => (await run("evaluate", ...args)).err
    const both = ["--tasks", "tasks.json", "--agents", "versions.mjs"]
    assert.match(await messageOf(), /--tasks/)
    assert.match(await messageOf("--tasks", "tasks.json"), /--agents/)
    assert.match(await messageOf("--tasks", "tasks.json", "--agents", "other.mjs"), /exports no evaluation/)
    assert.match(await messageOf("--tasks", "none.json", "--agents", "versions.mjs"), /none\.json/)
    assert.match(await messageOf(...both, "--version", "newest"), /there is no newest; there are old, new/)
    assert.match(await messageOf(...both, "--runs", "few"), /few is no number of runs/)
  })
})
