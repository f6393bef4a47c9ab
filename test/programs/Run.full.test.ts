import { execFile } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterEach, assert, beforeEach, describe, it } from "vitest"

const tool = fileURLToPath(new URL("../../tools/run.mjs", import.meta.url))
const cache = fileURLToPath(new URL("../../node_modules/.cache/programs", import.meta.url))

let folder = ""
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "trunkline-run-"))))

/** Folders of the bundles of the program. */
const bundles = () =>
  readdirSync(cache).filter((name) => name.includes(basename(folder))).flatMap((name) =>
    readdirSync(join(cache, name)).filter((entry) => entry.startsWith("bundle-"))
  )

afterEach(() => {
  rmSync(folder, { recursive: true })
  for (const name of readdirSync(cache)) {
    if (name.includes(basename(folder))) rmSync(join(cache, name), { recursive: true })
  }
})

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

const run = async (...args: ReadonlyArray<string>) =>
  (await promisify(execFile)(process.execPath, [tool, join(folder, "main.ts"), ...args])).stdout

const program = `
import { greeting } from "./greeting.js"
const args: ReadonlyArray<string> = process.argv.slice(2)
console.log(greeting, ...args)
`

describe("programs that run from a bundle", () => {
  it("get their arguments, and use the same bundle until a source file changes", async () => {
    write("main.ts", program)
    write("greeting.ts", `export const greeting: string = "hello"`)
    assert.strictEqual(await run("a", "--b"), "hello a --b\n")
    const first = bundles()
    assert.strictEqual(await run("c"), "hello c\n")
    assert.deepStrictEqual(bundles(), first)
    write("greeting.ts", `export const greeting: string = "good morning"`)
    assert.strictEqual(await run(), "good morning\n")
  })

  it("can be started by several processes at once", async () => {
    write("main.ts", program)
    write("greeting.ts", `export const greeting = "hello"`)
    assert.deepStrictEqual(await Promise.all([run("1"), run("2")]), ["hello 1\n", "hello 2\n"])
  })

  it("are not started when their source cannot be bundled, with the place of the error", async () => {
    write("main.ts", program)
    const error = await run().then(() => null, (error: unknown) => error)
    assert.match(String(error), /main\.ts:2:25: ERROR: Could not resolve "\.\/greeting\.js"/)
    assert.deepStrictEqual(bundles(), [])
  })
})
