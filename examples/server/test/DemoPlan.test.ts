import { Either } from "effect"
import { readConfig } from "trunkline/server"
import { assert, describe, it } from "vitest"
import { demoPlan, NoDemo } from "../src/demo/DemoPlan.js"

const simulated = { connection_id: "sim-1", provider: "simulator", phone_numbers: ["+911140000001"] }
const real = {
  connection_id: "line-1",
  provider: "http",
  phone_numbers: ["+911140000002"],
  options: { base_url: "https://phones.example/v1", api_key_env: "PHONES_KEY", dedupe: { kind: "lookup" } }
}

const read = (connections: ReadonlyArray<unknown>) =>
  readConfig(
    JSON.stringify({
      accounts: [{ account_id: "acme" }],
      workspaces: [{ org_id: "acme", workspace_id: "main", account_id: "acme" }],
      keys: [{ key: "sk_test_suite_aSecretOfTheTestSuite", account_id: "acme" }],
      agents: [{ app_id: "reminder", versions: [{ app_version: 1, committed: true }] }],
      connections
    }),
    { PHONES_KEY: "secret-1" }
  )

describe("the lines of a configuration", () => {
  it("are called by the demo only if they are simulated", async () => {
    const files = { contacts: { name: "contacts.csv", text: "" }, transformation: "{}" }
    const plan = async (connections: ReadonlyArray<unknown>) =>
      demoPlan(Either.getOrThrow(await read(connections)), files)
    assert.strictEqual((await plan([real, simulated])).connection.connection_id, "sim-1")
    assert.instanceOf(await plan([real]).catch((error: unknown) => error), NoDemo)
  })
})
