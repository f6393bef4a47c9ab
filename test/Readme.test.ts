import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const root = fileURLToPath(new URL("../", import.meta.url))
const read = (file: string) => readFileSync(join(root, file), "utf8")
const foldersIn = (folder: string) =>
  readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) =>
    name
  )

const readme = read("README.md")
const pages = [
  "README.md",
  ...readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)
]

/** Packages that `npm i` or `npm install` installs in a page or a message of this repository, except its own. */
const installed = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/npm (?:i|install)((?: +[\w@./${}*-]+)+)/g), ([, words = ""]) => words.split(" "))
    .flat()
    .filter((word) =>
      word !== "" && !word.startsWith("-") && !word.startsWith(".") && !/^(@trunkline\/|trunkline$)/.test(word)
    )

describe("the README", () => {
  it("has the first program as it is in examples/embed-node", () => {
    assert.include(readme, `\`\`\`ts\n${read("examples/embed-node/src/main.ts")}\`\`\``)
  })

  it("names every package, adapter and example in its tree", () => {
    const tree = /## The tree([^]*?)\n## /.exec(readme)?.[1] ?? ""
    const words = new Set(tree.match(/[\w-]+/g))
    const folders = ["packages", "adapters", "examples"].flatMap(foldersIn)
    assert.isAbove(folders.length, 50)
    assert.deepStrictEqual(folders.filter((name) => !words.has(name)), [])
  })

  it("and the documentation name a version of whatever they say to install", () => {
    const named = pages.flatMap((page) => installed(read(page)))
    assert.include(named, "effect@3")
    assert.deepStrictEqual(named.filter((word) => !/^@?[\w/-]+@\d/.test(word)), [])
  })

  it("and the documentation link to files that are there", () => {
    const broken = pages.flatMap((page) =>
      Array.from(read(page).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g), ([, target = ""]) => join(page, "..", target))
        .filter((target) => {
          try {
            read(target)
            return false
          } catch {
            return true
          }
        })
        .map((target) => `${page}: ${target}`)
    )
    assert.deepStrictEqual(broken, [])
  })
})
