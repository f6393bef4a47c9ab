import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"
import { bundled } from "../../../../test/programs/Programs.js"
import { isFullSize } from "../../../../test/setup/Scale.js"

const program = await bundled("adapters/trunkline/test/leaks/LeakProgram.ts")

/** Number of calls of each kind and of requests of each family. */
const total = isFullSize ? 10_000 : 300

/** Growth of the heap that the collector's own rest explains, in bytes, however many calls there were. */
const allowance = 3_000_000

interface Held {
  readonly heap: number
  readonly files: number
  readonly resources: Readonly<Record<string, number>>
}

describe.skipIf(!existsSync("/proc/self/fd"))("a process that has made many calls and answered many requests", () => {
  it("holds no more memory, files, timers and handles than before", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", program, String(total)], {
      maxBuffer: 10_000_000
    })
    const { after, before, interrupted }: {
      readonly before: Held
      readonly after: Held
      readonly interrupted: number
    } = JSON.parse(stdout)
    assert.strictEqual(interrupted, 2 * total)
    console.log(`${total} of each: heap ${before.heap} to ${after.heap} bytes, files ${before.files} to ${after.files}`)
    assert.isBelow(after.heap - before.heap, allowance)
    assert.isAtMost(after.files, before.files)
    for (const [name, count] of Object.entries(after.resources)) {
      assert.isAtMost(count, before.resources[name] ?? 0, name)
    }
  })
})
