import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundled } from "../../../test/programs/Programs.js"

const root = new URL("../../..", import.meta.url)
const clip = new URL("docs/sounds/reference.wav", root).pathname

/** Runs the script as its user would. */
const runByName = (...words: ReadonlyArray<string>) =>
  spawnSync("npm", ["start", "--silent", "-w", "@trunkline/example-script-voice", "--", ...words], {
    cwd: root,
    encoding: "utf8"
  })

const program = await bundled("examples/script-voice/src/main.ts")

/** Runs it from the bundle that the tests share, which starts sooner. */
const run = (...words: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [program, ...words], { cwd: root, encoding: "utf8" })

describe("the script that speaks", () => {
  it("writes an audio file", () => {
    const file = join(mkdtempSync(join(tmpdir(), "trunkline-voice-")), "said.flac")
    const { status, stderr, stdout } = runByName(clip, "hi-IN", "नमस्ते", file)
    assert.strictEqual(status, 0, stderr)
    assert.match(stdout, /^\d\.\d seconds of flac in /)
    assert.strictEqual(readFileSync(file).toString("latin1", 0, 4), "fLaC")
  })

  it("reports errors", () => {
    const missing = run(clip, "fr-FR", "Bonjour", "said.mp3")
    assert.deepStrictEqual([missing.status, missing.stdout], [1, ""])
    assert.match(missing.stderr, /^Say who speaks/)
    const noSound = run(new URL("package.json", root).pathname, "en-IN", "Hello", "said.mp3")
    assert.strictEqual(noSound.status, 1)
    assert.match(noSound.stderr, /^ref_audio cannot be used/)
  })
})
