import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { createTrunkline } from "trunkline"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
// Loaded here, since that takes longer than a test may.
import "../../src/commands/BackupCommands.js"
import { commandsIn, temporaryFolder } from "./Commands.js"

const folder = temporaryFolder()
const run = commandsIn(folder.path)
const small = join(folder.path, "small")
mkdirSync(small)

/** A disk of 64 KiB, which only some users may mount. */
const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", small]).status === 0
if (!isMounted) console.warn("Skipped: this user cannot mount a small disk")

beforeAll(async () => {
  await (await createTrunkline({ data: join(folder.path, "data"), logLevel: "none" })).close()
})
afterAll(() => {
  if (isMounted) spawnSync("umount", [small])
  folder.remove()
})

describe.skipIf(!isMounted)("a full disk", () => {
  it("refuses a backup in one line, and keeps nothing of it", async () => {
    const { code, err } = await run("backup", "--data", "data", "--to", "small/backup")
    assert.strictEqual(code, 1)
    assert.match(err, /^There is no space left for .*small\/backup: free some, or name a folder on another disk$/)
    assert.deepStrictEqual(readdirSync(join(small, "backup")), [])
  })

  it("refuses a restoration in one line, and keeps nothing of it", async () => {
    assert.strictEqual((await run("backup", "--data", "data", "--to", "backup")).code, 0)
    const { code, err } = await run("restore", "--from", "backup", "--data", "small/restored")
    assert.strictEqual(code, 1)
    assert.match(err, /^There is no space left for .*small\/restored: free some, or name a folder on another disk$/)
    assert.deepStrictEqual(readdirSync(small).filter((name) => name !== "backup"), [])
  })
})
