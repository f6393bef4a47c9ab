import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "vitest"

const tool = fileURLToPath(new URL("../../trunkline/bin/trunkline.mjs", import.meta.url))
const source = fileURLToPath(new URL("../src/index.ts", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "trunkline-create-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A package manager that installs the tool of this repository, or fails. */
writeFileSync(
  join(folder, "npm"),
  `#!/bin/sh
if [ -n "$FAILS" ]; then exit 1; fi
mkdir -p node_modules/trunkline/bin
echo 'await import("${tool}")' > node_modules/trunkline/bin/trunkline.mjs
`,
  { mode: 0o755 }
)

const create = async (args: ReadonlyArray<string>, environment: NodeJS.ProcessEnv = {}) => {
  const program = `import { create } from ${JSON.stringify(source)}
process.exitCode = await create(${JSON.stringify(args)}, { folder: process.cwd(), environment: process.env })`
  writeFileSync(join(folder, "create.mts"), program)
  const child = spawn(process.execPath, ["--import", createRequire(import.meta.url).resolve("tsx"), "create.mts"], {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"]}`, INIT_CWD: folder, ...environment }
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output += chunk.toString())
  const [code] = await once(child, "close")
  return { code, output }
}

describe("npm create trunkline", () => {
  it("makes a folder that starts a server", async () => {
    const { code, output } = await create(["desk"])
    assert.strictEqual(code, 0, output)
    assert.match(output, /cd desk\n {2}npm start/)
    const { dependencies, scripts } = JSON.parse(readFileSync(join(folder, "desk/package.json"), "utf8"))
    assert.match(dependencies.trunkline, /^\^\d/)
    assert.strictEqual(scripts.start, "trunkline serve")
    assert.match(readFileSync(join(folder, "desk/trunkline.config.json"), "utf8"), /"app_id": "reminder"/)
    assert.match(readFileSync(join(folder, "desk/.gitignore"), "utf8"), /^\.env$/m)
  })

  it("refuses a folder that holds anything, and says how to go on when the installation fails", async () => {
    const taken = await create(["."])
    assert.deepStrictEqual([taken.code, taken.output], [1, ". is not empty: name another folder\n"])
    const failed = await create(["other"], { FAILS: "1" })
    assert.strictEqual(failed.code, 1)
    assert.match(failed.output, /npm install failed in other: run it again there/)
    assert.strictEqual((await create(["--nope"])).code, 2)
  })
})
