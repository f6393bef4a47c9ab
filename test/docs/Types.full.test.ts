import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { allBlocks, moduleOf } from "./Blocks.js"
import { neighbours } from "./Completions.js"
import { makeTypeService } from "./TypeService.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
/** Where the client libraries that pages use are found. */
const folder = join(root, "test/clients/.blocks")

const modules = allBlocks(root).map((block) => {
  const name = `${block.page.replaceAll(/\W/g, "-")}-${block.number}`
  return { ...moduleOf(block), path: join(folder, "a/b", name, "block.ts") }
})

/** True for a line of a page whose section of the second level has this heading. */
const isBelow = (heading: string, page: string, line: number) =>
  readFileSync(join(root, page), "utf8").split("\n").slice(0, line).findLast((text) => text.startsWith("## ")) ===
    heading

/** A call of `createTrunkline` whose names are hovered over. */
const hovered = `
import { createTrunkline, defineConfig } from "trunkline"

export const config = defineConfig({
  data: ":memory:",
  agents: [{ app_id: "reminder", first_message: "Hello {{name}}", prompt: "Be brief." }],
  lines: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }],
  model: { generate: async () => "Hello" },
  onCallEnded: ({ transcript }) => console.log(transcript)
})
export const first = await createTrunkline(config)
export const second = await createTrunkline({
  data: ":memory:",
  agents: [{ app_id: "reminder", first_message: "Hello {{name}}", prompt: "Be brief." }],
  lines: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }],
  model: { generate: async () => "Hello" },
  onCallEnded: ({ transcript }) => console.log(transcript)
})
`
const hoveredPath = join(folder, "hovered.ts")

const service = makeTypeService(
  root,
  new Map([
    ...modules.map(({ path, source }): [string, string] => [path, source]),
    ...Object.entries(neighbours).map(([path, text]): [string, string] => [join(folder, path), text]),
    [hoveredPath, hovered]
  ]),
  ["examples/express-campaign/src/express.d.ts"]
)

describe("the TypeScript of the documentation", () => {
  it("has blocks on every page for beginners", () => {
    const pages = new Set(modules.map(({ block }) => block.page))
    const names = ["getting-started", "first-campaign", "deployments", "embedding", "testing", "effect"]
    assert.deepStrictEqual(names.filter((name) => !pages.has(`docs/${name}.md`)), [])
  })

  it("compiles, block by block", async () => {
    const faults: Array<string> = []
    for (const { block, linesBefore, path } of modules) {
      for (const { line, message } of service.faults(path)) {
        faults.push(`${block.page}:${block.line + line - 1 - linesBefore} (block ${block.number}): ${message}`)
      }
      await setImmediate() // lets the worker answer in between
    }
    assert.strictEqual(faults.join("\n"), "")
  })
})

describe("the guides", () => {
  it("show promises first, and Effect in a section of its own", () => {
    const ofEffect = ["docs/effect.md"]
    const isOfEffect = (text: string) =>
      /from "effect"|from "@trunkline\/(?!(?:client|console)")|\bEffect\.|\bLayer\.|yield\*|Engine\.layer/.test(text)
    const faults = modules.map(({ block }) => block).filter(({ line, page, text }) =>
      !ofEffect.includes(page) && isOfEffect(text) && !isBelow("## With Effect", page, line)
    )
    assert.deepStrictEqual(faults.map(({ line, page }) => `${page}:${line}`), [])
  })
})

describe("the options of createTrunkline", () => {
  it("compile, also in a variable", () => {
    assert.deepStrictEqual(service.faults(hoveredPath), [])
  })

  for (
    const name of ["agents", "app_id", "first_message", "prompt", "lines", "model", "onCallEnded", "data"]
  ) {
    it(`explain ${name} when it is hovered over`, () => {
      const places = Array.from(hovered.matchAll(new RegExp(`\\b${name}:`, "g")), ({ index }) => index)
      assert.lengthOf(places, 2)
      for (const place of places) assert.match(service.hover(hoveredPath, place + 1), /^[A-Z][^]*\.$/)
    })
  }
})
