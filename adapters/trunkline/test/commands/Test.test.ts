import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
// Loaded here, since that takes longer than a test may.
import "../../src/commands/TestCommand.js"
import { commandsIn, temporaryFolder } from "./Commands.js"

const folder = temporaryFolder()
const run = commandsIn(folder.path)
const at = (name: string) => join(folder.path, name)

beforeAll(() => {
  mkdirSync(at("calls/node_modules"), { recursive: true })
  mkdirSync(at("none"))
  writeFileSync(at("calls/node_modules/other.calls.mjs"), "throw new Error('not ours')")
  writeFileSync(
    at("calls/desk.calls.mjs"),
    `export const suite = {
      name: "The desk",
      runs: 4,
      least: 0.5,
      judge: { agreement: async () => ({ line: "The judge agrees with 190 of 200 labelled transcripts" }) },
      tests: {
        "passes": () => {},
        "passes with even seeds": (seed) => { if (seed % 2 === 1) throw new Error("odd <seed> & more") },
        "fails": (seed) => { throw new Error("seed " + seed) }
      }
    }`
  )
  writeFileSync(at("none/empty.calls.mjs"), "export const other = 1")
})
afterAll(() => folder.remove())

describe("npx trunkline test", () => {
  it("runs all suites of a folder, prints a table, and exits by the result", async () => {
    const { code, err, out } = await run("test", "calls", "--junit", "out/calls.xml", "--report", "out/calls.json")
    assert.deepStrictEqual([code, err], [1, ""])
    assert.match(out, /^ok {6}The desk: passes +4\/4 +0 calls +\d+\.\d\d s +0 tokens$/m)
    assert.match(out, /^ok {6}The desk: passes with even seeds +2\/4/m)
    assert.match(out, /^FAILED {2}The desk: fails +0\/4/m)
    assert.match(out, /^2 of 3 tests passed, 0 calls in \d+\.\d\d s$/m)
    assert.match(out, /^The desk: The judge agrees with 190 of 200 labelled transcripts$/m)
    assert.match(out, /The desk: fails\nWith seed 1:\nseed 1$/)
    const junit = readFileSync(at("out/calls.xml"), "utf8")
    assert.include(junit, `<testsuites name="trunkline" tests="3" failures="1"`)
    assert.include(junit, `<failure message="With seed 1:">With seed 1:\nseed 1</failure>`)
    const report = JSON.parse(readFileSync(at("out/calls.json"), "utf8"))
    assert.deepStrictEqual([report.tests, report.failed, report.results[1].passedRuns], [3, 1, 2])
  })

  it("runs the tests whose names have a text", async () => {
    const { code, out } = await run("test", "calls", "--filter", "EVEN", "--json")
    assert.strictEqual(code, 0)
    assert.deepStrictEqual(JSON.parse(out).results.map(({ name }: { readonly name: string }) => name), [
      "passes with even seeds"
    ])
  })

  it("tells what is missing", async () => {
    const messageOf = async (...args: ReadonlyArray<string>) => (await run("test", ...args)).err
    assert.match(await messageOf("nowhere"), /There is no folder .*nowhere\./)
    assert.match(await messageOf("out"), /There is no suite in .*out: name its files as desk\.calls\.mjs/)
    assert.match(await messageOf("calls", "--filter", "nothing"), /No test has "nothing" in its name/)
  })
})
