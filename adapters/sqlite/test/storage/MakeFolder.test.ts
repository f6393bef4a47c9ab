import { makeFolder } from "@trunkline/sqlite"
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"

const root = mkdtempSync(join(tmpdir(), "trunkline-folder-"))
afterAll(() => rmSync(root, { recursive: true }))

describe("makeFolder", () => {
  it("creates a folder and its parents for the owner only, and keeps existing ones", () => {
    const folder = join(root, "a", "b", "c")
    makeFolder(folder)
    makeFolder(folder)
    for (const path of [folder, join(root, "a")]) assert.strictEqual(statSync(path).mode & 0o777, 0o700)
  })

  it("fails where a file is in the way", () => {
    const file = join(root, "file")
    writeFileSync(file, "")
    assert.throws(() => makeFolder(file), /EEXIST/)
    assert.throws(() => makeFolder(join(file, "x", "y")), /ENOTDIR/)
  })

  it.runIf(existsSync("/proc/self"))("fails on a file system that takes no folders, instead of trying forever", () => {
    assert.throws(() => makeFolder("/proc/x/y"), /ENOENT.*\/proc\/x'/)
  })
})
