import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly resolved?: string }>>
}

/** Folders with a lock file: the repository, and those whose packages `npm ci` leaves out. */
const folders = ["", "bench/", "test/clients/", "tools/"]

describe("each lock file", () => {
  it.each(folders)("%spackage-lock.json names no registry but npm's own, so that npm ci works everywhere", (folder) => {
    const lock: LockFile = JSON.parse(readFileSync(new URL(`../${folder}package-lock.json`, import.meta.url), "utf8"))
    const addresses = Object.values(lock.packages).flatMap(({ resolved }) => resolved?.includes(":") ? [resolved] : [])
    assert.isNotEmpty(lock.packages)
    assert.deepStrictEqual(addresses.filter((address) => !address.startsWith("https://registry.npmjs.org/")), [])
  })
})
