import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly resolved?: string }>>
}

const lock: LockFile = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"))

describe("the lock file", () => {
  it("names no registry but npm's own, so that npm ci works wherever the repository is cloned", () => {
    const addresses = Object.values(lock.packages).flatMap(({ resolved }) => resolved?.includes(":") ? [resolved] : [])
    assert.deepStrictEqual(addresses.filter((address) => !address.startsWith("https://registry.npmjs.org/")), [])
  })
})
