import { writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { join } from "node:path"
import { createTrunkline, type Trunkline } from "trunkline"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
// Loaded here, since that takes longer than a test may.
import "../../src/commands/workspace/AgentsCommand.js"
import { commandsIn, temporaryFolder } from "./Commands.js"

const folder = temporaryFolder()
const key = "sk_dev_main_agents"

let trunkline: Trunkline
let server: Server
let run: ReturnType<typeof commandsIn>

beforeAll(async () => {
  trunkline = await createTrunkline({
    data: ":memory:",
    agents: [{ app_id: "desk", first_message: "Hello" }],
    access: {
      accounts: [{ account_id: "main", plan: "business" }],
      workspaces: [{ org_id: "main", workspace_id: "main", account_id: "main" }],
      keys: [{ account_id: "main", key }]
    },
    logLevel: "none"
  })
  server = createServer(trunkline.node())
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  run = commandsIn(folder.path, { TRUNKLINE_URL: `http://127.0.0.1:${port}`, TRUNKLINE_KEY: key })
  await trunkline.agents.create({ app_id: "night@9", name: "Night", version: { first_message: "Good night" } })
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await trunkline.close()
  folder.remove()
})

describe("trunkline agents, beside a running server", () => {
  it("lists, shows and commits, and names what there is", async () => {
    const list = await run("agents", "list")
    assert.deepStrictEqual([list.code, list.err], [0, ""])
    assert.strictEqual(
      list.out,
      "desk  code  versions 1\nnight@9  workspace  versions 1 (a draft)  Night"
    )
    const shown = await run("agents", "show", "night@9@1")
    assert.deepInclude(JSON.parse(shown.out), { app_version: 1, committed: false, first_message: "Good night" })
    assert.include((await run("agents", "commit", "night@9@1")).out, "night@9@1: committed")
    assert.include((await run("agents", "commit", "night@9@1")).out, "is committed already")
    assert.include((await run("agents", "show", "desk")).out, `"source": "code"`)
    for (
      const [args, message] of [
        [["show", "desk@99"], "desk has no version 99: it has 1"],
        [["show", "dusk"], "There is no agent dusk: there are desk, night@9"],
        [["commit", "desk"], "Name the version, such as desk@1: it has 1"],
        [["commit"], "Name the agent: trunkline agents commit reminder@3"],
        [["list", "--key", "sk_dev_main_wrong"], "API key"],
        [["list", "--url", "nowhere"], "baseUrl must be the URL of the server"],
        [["burn"], "agents takes one of list, show, check and commit"]
      ] as const
    ) {
      const { code, err } = await run("agents", ...args)
      assert.deepStrictEqual([args, code, err.includes(message), err.includes("    at ")], [args, 1, true, false], err)
    }
  })

  it("checks files without a server", async () => {
    const write = (name: string, agent: unknown) => writeFileSync(join(folder.path, name), JSON.stringify(agent))
    write("good.json", { app_id: "good", variables: ["name"], first_message: "Hello {{name}}" })
    write("unknown.json", { app_id: "unknown", variables: ["name"], first_message: "Hello {{nmae}}", colour: "red" })
    write("variable.json", { app_id: "variable", variables: ["name"], first_message: "Hello {{nmae}}" })
    const { code, out } = await run("agents", "check", "good.json", "unknown.json", "variable.json", "none.json")
    assert.strictEqual(code, 1)
    assert.match(out, /^good\.json: no mistakes$/m)
    assert.include(out, "colour")
    assert.match(out, /^variable\.json: versions\.0\.first_message: \{\{nmae\}\} is neither .* did you mean name\?$/m)
    assert.match(out, /^none\.json: /m)
  })
})
