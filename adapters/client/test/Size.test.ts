import { assert, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { gzipSync } from "node:zlib"

describe("the client in a bundle for browsers", () => {
  it("has less than 20 kB compressed, and nothing of other packages", async () => {
    const { metafile, outputFiles } = await build({
      entryPoints: ["adapters/client/src/index.ts"],
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      format: "esm",
      target: "es2022",
      platform: "browser",
      logLevel: "silent"
    })
    assert.isBelow(gzipSync(outputFiles[0]?.contents ?? new Uint8Array(20_000)).length, 20_000)
    for (const path of Object.keys(metafile.inputs)) assert.match(path, /^adapters\/client\/src\//)
  })
})
