import { execFile, spawnSync } from "node:child_process"
import { readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, describe, it } from "vitest"
import { bundled } from "../../../test/programs/Programs.js"
import { startServer, temporaryFolder } from "./ServerProcess.js"

const run = promisify(execFile)
const hasCurl = spawnSync("curl", ["--version"]).error === undefined
const docs = fileURLToPath(new URL("../../../docs/", import.meta.url))

/** The blocks of one language in a page. */
const blocks = (page: string, language: string): ReadonlyArray<string> =>
  Array.from(
    readFileSync(join(docs, page), "utf8").matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "gm")),
    ([, text = ""]) => text
  )

/** The pages with examples for curl, in an order in which what one makes is there for the next. */
const pages = ["campaigns", "cohorts", "webhooks", "boards", "chat", "responses", "speech"]

/** The examples of a page that ask the server, without the line that starts it. */
const examples = (page: string): ReadonlyArray<string> =>
  blocks(`${page}.md`, "sh").filter((text) => text.includes("curl ")).map((text) => text.replace(/^npm start.*$/gm, ""))

/** Stands in for curl: counts how often it was called, and says which request was refused. */
const watchfulCurl = `curl() {
  echo asked >> asked.txt
  command curl --silent --show-error --fail-with-body "$@" || echo "refused: $*" >&2
}`

describe.skipIf(!hasCurl)("the documentation's examples for curl (skipped where there is none)", () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)
  const write = (name: string, text: string) => {
    const file = join(folder.path, name)
    writeFileSync(file, text)
    return file
  }

  it("all succeed with the variables that npm start prints", async () => {
    const bootstrap = JSON.parse(readFileSync(new URL("../assets/bootstrap.json", import.meta.url), "utf8"))
    // A machine that is busy with other tests is no reason to shed load here.
    const unlimited = JSON.stringify({ ...bootstrap, limits: { enabled: false } })
    const mapping = JSON.stringify({ phone_number: { column_name: "phone" } })
    const demo = Object.entries({
      "--data": ":memory:",
      "--bootstrap": write("bootstrap.json", unlimited),
      "--contacts": write("contacts.csv", "who,phone\nAsha,9876543210\nBilal,9876543211\n"),
      "--transformation": write("mapping.json", mapping)
    }).flat()
    const server = await startServer(demo, { command: [await bundled("examples/server/src/main.ts")] })
    await server.printed(/^Still serving/m)
    const pasted = /^W=[^]*?^(?=Still serving)/m.exec(server.output())?.[0] ?? ""
    symlinkSync(docs, join(folder.path, "docs"))
    write("people.csv", blocks("cohorts.md", "csv")[0] ?? "")
    write("transformation.json", blocks("cohorts.md", "json")[0] ?? "")
    const asked = pages.flatMap(examples).join("\n").replaceAll("http://127.0.0.1:8787", server.url)
    const script = [watchfulCurl, pasted.replace(/^and then.*$/m, ""), asked].join("\n")
    const { stderr, stdout } = await run("sh", ["-c", script], { cwd: folder.path })
    assert.strictEqual(stderr, "", stdout)
    const expected = script.match(/(?<=^|\$\()curl /gm) ?? []
    assert.isAbove(expected.length, 15)
    assert.strictEqual(readFileSync(join(folder.path, "asked.txt"), "utf8").match(/asked/g)?.length, expected.length)
    await server.stop("SIGTERM")
  })
})
