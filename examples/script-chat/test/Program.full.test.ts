import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { bundled } from "../../../test/programs/Programs.js"

/** Runs the script as its user would. */
const runByName = (...words: ReadonlyArray<string>) =>
  spawnSync("npm", ["start", "--silent", "-w", "@trunkline/example-script-chat", "--", ...words], {
    cwd: new URL("../../..", import.meta.url),
    encoding: "utf8"
  })

const program = await bundled("examples/script-chat/src/main.ts")

/** Runs it from the bundle that the tests share, which starts sooner. */
const run = (...words: ReadonlyArray<string>) => spawnSync(process.execPath, [program, ...words], { encoding: "utf8" })

describe("the script that asks a model", () => {
  it("prints the completion and its usage", () => {
    const { status, stdout } = runByName("Hello")
    assert.strictEqual(status, 0)
    assert.match(stdout, /[A-Za-z]{3,}[^]*\(\d+ tokens read, \d+ written\)\n$/)
  })

  it("reports errors in one line", () => {
    for (
      const [words, line] of [[[], /^Say what to ask/], [
        ["Hello", "ftp://nowhere"],
        /^The base URL of a model/
      ]] as const
    ) {
      const { status, stderr } = run(...words)
      assert.strictEqual(status, 1)
      assert.match(stderr, line)
      assert.strictEqual(stderr.trimEnd().split("\n").length, 1)
    }
  })
})
