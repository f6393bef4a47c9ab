import { assert, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { call, withFolder, withTrunkline } from "./Fixtures.js"

describe("an error that nobody catches", () => {
  it("is printed with its message first, also by a minified bundle", () =>
    withFolder(async (folder) => {
      const outfile = join(folder, "bundle.mjs")
      const source = `import { InvalidOption } from "./InvalidOption.ts"
        const open = async (option: string) => { throw new InvalidOption(option, "name the folder") }
        await open("data")`
      await build({
        stdin: { contents: source, loader: "ts", resolveDir: join(import.meta.dirname, "../src/options") },
        bundle: true,
        conditions: ["@trunkline/source"],
        format: "esm",
        minify: true,
        outfile
      })
      const { stderr } = spawnSync(process.execPath, [outfile], { encoding: "utf8" })
      assert.match(stderr, /^\n?InvalidOption: createTrunkline: data: name the folder\n/)
    }))

  it("has the stack of the call that was rejected", () =>
    withTrunkline({}, async ({ calls }) => {
      const error = await calls.create({ ...call, to: "12" }).catch((error: Error) => error)
      assert.include(Reflect.get(error, "stack"), "ShownStack.full.test")
      assert.match(String(Reflect.get(error, "stack")), /^Invalid: to: /)
    }))
})
