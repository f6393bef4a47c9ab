import { copyFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createTrunkline, type Trunkline } from "trunkline"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
// Loaded here, since that takes longer than a test may.
import "../../src/commands/workspace/KnowledgeCommand.js"
import { commandsIn, temporaryFolder } from "./Commands.js"

const folder = temporaryFolder()
const run = commandsIn(folder.path)
const beside = ["--workspace", "main/main", "--data", "data"]

let trunkline: Trunkline

beforeAll(async () => {
  trunkline = await createTrunkline({
    data: join(folder.path, "data"),
    agents: [{ app_id: "desk", first_message: "Hello", knowledge: ["handbook"] }],
    lines: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }],
    logLevel: "none"
  })
  const pdf = new URL("../../../documents-unpdf/test/files/handbook.pdf", import.meta.url)
  copyFileSync(fileURLToPath(pdf), join(folder.path, "handbook.pdf"))
  writeFileSync(join(folder.path, "hours.md"), "# Hours\n\nThe office opens at seven.")
  writeFileSync(join(folder.path, "broken.pdf"), "%PDF-1.7 and nothing else")
})
afterAll(async () => {
  await trunkline.close()
  folder.remove()
})

describe("trunkline knowledge, beside a running server", () => {
  it("adds files, which the server finds at once, and says what it cannot add", async () => {
    const { code, out } = await run(
      "knowledge",
      "add",
      "handbook.pdf",
      "broken.pdf",
      "nothing.md",
      "hours.md",
      ...beside
    )
    assert.strictEqual(code, 1)
    assert.match(out, /^handbook\.pdf: added, 5 passages, doc-/m)
    assert.match(out, /^broken\.pdf: The PDF is damaged/m)
    assert.match(out, /^nothing\.md: there is no such file/m)
    assert.match(out, /^hours\.md: added, 1 passages, doc-/m)
    const { items: [found] } = await trunkline.knowledge.search({ question: "When does the office open?" })
    assert.deepInclude(found, { title: "Hours", text: "The office opens at seven." })
    assert.match((await run("knowledge", "add", "hours.md", ...beside)).out, /^hours\.md: unchanged/)
  })

  it("searches, lists and removes them", async () => {
    const search = await run("knowledge", "search", "How are pianos delivered?", ...beside)
    assert.match(search.out, /^Shop handbook > Shop handbook > Delivery, page 2 \(/)
    const list = await run("knowledge", "list", ...beside, "--json")
    const documents: ReadonlyArray<{ readonly title: string; readonly document_id: string }> = JSON.parse(list.out)
    assert.deepStrictEqual(documents.map(({ title }) => title), ["Hours", "Shop handbook"])
    const [{ document_id } = assert.fail("there is no document")] = documents
    assert.match((await run("knowledge", "remove", document_id, ...beside)).out, /: removed$/)
    assert.strictEqual((await run("knowledge", "remove", document_id, ...beside)).code, 1)
    assert.strictEqual((await trunkline.knowledge.list()).total, 1)
  })

  it("says what is missing on its command line", async () => {
    assert.include((await run("knowledge", ...beside)).err, "add, list, search and remove")
    assert.include((await run("knowledge", "list", "--data", "data")).err, "--workspace")
    assert.include((await run("knowledge", "add", ...beside)).err, "Name the files")
    assert.include((await run("knowledge", "list", "--collection", "My docs", ...beside)).err, "such as handbook")
  })
})
