import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { bundled } from "../../../../../test/programs/Programs.js"

const program = await bundled("adapters/trunkline/test/calls/testing/SoundProgram.ts")

describe("a test of an agent in sound", () => {
  it("runs in a plain program, without a test runner", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program])
    assert.strictEqual(stdout.trim(), "Hello, how can I help?|When do you open?|We open at nine.")
  }, 60_000)
})
