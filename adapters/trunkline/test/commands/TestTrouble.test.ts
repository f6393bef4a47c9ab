import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
// Loaded here, since that takes longer than a test may.
import "../../src/commands/TestCommand.js"
import { commandsIn, temporaryFolder } from "./Commands.js"

const folder = temporaryFolder()
const run = commandsIn(folder.path)
const at = (name: string) => join(folder.path, name)

const suites: Readonly<Record<string, string>> = {
  "broken/a": `throw new Error("boom at import")`,
  "broken/b": "export const other = 1",
  "broken/c": `export const suite = { name: "None", tests: {} }`,
  "broken/d": `export const suite = { name: "Odd", runs: -1, tests: { a: () => {} } }`,
  "broken/e": `export const suite = { name: "Odd", tests: { a: 5 } }`,
  "broken/f": `export const suite = { name: "Good", tests: { passes: () => {} } }`,
  "stuck/a": `export const suite = { name: "Stuck", timeout: 0.05, tests: {
    hangs: () => new Promise(() => { setInterval(() => {}, 1000).unref() }),
    leaves: () => process.exit(0),
    passes: () => {}
  } }`,
  "odd/a": `export const suite = { name: "Odd \\u0007 & < \\ud800", tests: {
    "null": () => { throw null },
    "hostile": () => { throw { toString() { throw 1 } } },
    "no message": () => { throw Object.assign(new Error(), { message: { a: 1 } }) },
    "marks \\ud800 ]]>": () => { throw new Error("\\u0007 \\ud800 ]]> <x>") },
    "huge": () => { throw new Error("y".repeat(5_000_000)) },
    "prints": () => { console.log("garbage"); process.stdout.write("more") }
  } }`
}

beforeAll(() => {
  for (const [name, text] of Object.entries(suites)) {
    mkdirSync(join(at(name), ".."), { recursive: true })
    writeFileSync(at(`${name}.calls.mjs`), text)
  }
})
afterAll(() => folder.remove())

describe("npx trunkline test, with suites in trouble,", () => {
  it("counts a file that cannot be run as a failed test, and runs the others", async () => {
    const { code, out } = await run("test", "broken", "--junit", "out/broken.xml")
    assert.strictEqual(code, 1)
    for (
      const text of [
        "a.calls.mjs cannot be loaded: boom at import.",
        "b.calls.mjs exports no suite: write export const suite = defineSuite({ name, tests })",
        "c.calls.mjs has a suite without tests: give it one, by its name",
        "d.calls.mjs has a suite whose runs is no whole number from 1 on",
        `e.calls.mjs has a suite whose test "a" is no function`,
        "1 of 6 tests passed"
      ]
    ) assert.include(out, text)
    assert.include(readFileSync(at("out/broken.xml"), "utf8"), `tests="6" failures="5"`)
  })

  it("goes on after tests that hang or leave the process", async () => {
    const { code, out } = await run("test", "stuck")
    assert.strictEqual(code, 1)
    assert.include(out, "It took longer than 0.05 s: give its suite a longer timeout, in seconds, if it needs it")
    assert.include(out, "It called process.exit(0), which would end all tests: throw an error instead")
    assert.match(out, /^ok +Stuck: passes/m)
  })

  it("writes valid reports of whatever tests throw and print", async () => {
    const { code, out } = await run("test", "odd", "--json", "--junit", "out/odd.xml", "--report", "out/odd.json")
    assert.strictEqual(code, 1)
    assert.deepStrictEqual(JSON.parse(out), JSON.parse(readFileSync(at("out/odd.json"), "utf8")))
    assert.deepInclude(JSON.parse(out), { tests: 6, failed: 5 })
    const junit = readFileSync(at("out/odd.xml"), "utf8")
    // oxlint-disable-next-line no-control-regex
    assert.notMatch(junit, /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFD]/)
    assert.include(junit, "]]&gt; &lt;x&gt;</failure>")
    assert.isBelow(junit.length, 200_000)
  })

  it("tells of a report that cannot be written, below the results", async () => {
    const { code, err, out } = await run("test", "odd", "--junit", "odd")
    assert.strictEqual(code, 1)
    assert.match(err, /^--junit: odd cannot be written \(.*\): name another file$/)
    assert.include(out, "1 of 6 tests passed")
    assert.isTrue(existsSync(at("odd")))
  })
})
