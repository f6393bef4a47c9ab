import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createTrunkline } from "trunkline"
import { afterAll, assert, describe, it } from "vitest"
// Loaded here, since that takes longer than a test may.
import "../../src/commands/BackupCommands.js"
import "../../src/commands/DataCommands.js"
import "../../src/commands/ServeCommand.js"
import { commandsIn, temporaryFolder } from "./Commands.js"

const page = readFileSync(new URL("../../../../docs/operations.md", import.meta.url), "utf8")

const blocks = (language: string): ReadonlyArray<string> =>
  Array.from(page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "gm")), ([, text = ""]) => text)

/** The commands of the page, in their order. */
const commands = blocks("sh").flatMap((text) => text.trim().split("\n")).map((line) =>
  line.replace(/^npx trunkline /, "").split(" ")
)

const folder = temporaryFolder()
afterAll(folder.remove)

describe("the page about operations", () => {
  it("has commands that all succeed in their order, beside an engine that runs", async () => {
    const run = commandsIn(folder.path)
    const file = join(folder.path, "desk/trunkline.config.json")
    const engine = await createTrunkline({
      data: join(folder.path, ".trunkline"),
      access: {
        accounts: [{ account_id: "acme" }],
        workspaces: [{ org_id: "acme", workspace_id: "main", account_id: "acme" }],
        keys: []
      },
      logLevel: "none"
    })
    const names: Array<string> = []
    for (const [name = "", ...args] of commands) {
      names.push(name)
      const { code, err, out } = await run(name, ...args)
      // The space of this machine is its own affair.
      if (name === "doctor") assert.match(out, /^ok +schema +version/m)
      else assert.deepStrictEqual([code, err], [0, ""], name)
      if (name !== "init") continue
      const [retention = ""] = blocks("json")
      const text = readFileSync(file, "utf8")
      assert.include(text, "\"retention\": []")
      writeFileSync(file, text.replace("\"retention\": []", retention))
    }
    await engine.close()
    assert.deepStrictEqual(names, ["init", "serve", "backup", "restore", "retention", "erase", "doctor"])
  })
})
