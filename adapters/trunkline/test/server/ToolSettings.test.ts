import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { readConfig } from "../../src/server/ServerConfig.js"

/** Problems of a configuration with an agent that has these tools. */
const problemsOf = async (version: object, config: object = {}, environment = {}) => {
  const versions = [{ app_version: 1, committed: true, ...version }]
  const read = await readConfig(JSON.stringify({ agents: [{ app_id: "desk", versions }], ...config }), environment)
  return Either.isLeft(read) ? read.left : []
}

const http = { url: "https://crm.example/orders/{{args.id}}", headers: { authorization: "Bearer {{secrets.crm}}" } }
const tool = { name: "find", description: "Finds an order", http }
const server = { name: "tables", url: "https://mcp.example/mcp", headers: { authorization: "{{secrets.tables}}" } }

describe("tools in a configuration file", () => {
  it("are fine with their secrets in the environment", async () => {
    const secrets = { tool_secrets_env: { crm: "CRM_TOKEN", tables: "TABLES_TOKEN" } }
    assert.deepStrictEqual(
      await problemsOf(
        { tools: [tool], mcp_servers: ["tables"] },
        { ...secrets, mcp_servers: [server] },
        { CRM_TOKEN: "a", TABLES_TOKEN: "b" }
      ),
      []
    )
  })

  it("are told with their place when something is wrong", async () => {
    const place = "agents.0.versions.0"
    const give = "give it in toolSecrets, or in tool_secrets_env of a configuration file"
    assert.deepStrictEqual(
      await problemsOf({ tools: [{ name: "other", description: "" }, tool], mcp_servers: ["tabels"] }),
      [
        `${place}.tools.0: Needs http: only code has tools with functions`,
        `${place}.tools.1.http: There is no secret crm: ${give}`,
        `${place}.mcp_servers.0: There is no MCP server tabels`
      ]
    )
    assert.deepStrictEqual(await problemsOf({}, { mcp_servers: [server, server], tool_secrets_env: { crm: "CRM" } }), [
      "tool_secrets_env.crm: The environment variable CRM is not set",
      "mcp_servers.1.name: tables is given twice",
      `mcp_servers.0: There is no secret tables: ${give}`,
      `mcp_servers.1: There is no secret tables: ${give}`
    ])
    const [wrong = ""] = await problemsOf({ tools: [{ ...tool, http: { url: "https://{{args.host}}/" } }] })
    assert.strictEqual(wrong, `${place}.tools.0.http.url: The host cannot have a variable in it`)
    const [both = ""] = await problemsOf({}, { mcp_servers: [{ name: "x" }] })
    assert.strictEqual(both, "mcp_servers.0: Needs a url or a command, and not both")
  })

  it("are offered to agents of workspaces by names that exist", async () => {
    const offer = {
      secrets: [{ name: "crm", origins: ["https://crm.example"] }],
      mcp_servers: [{ name: "tabels", workspaces: ["acme/main"] }]
    }
    const secrets = { tool_secrets_env: { crm: "CRM_TOKEN", tables: "TABLES_TOKEN" }, mcp_servers: [server] }
    const environment = { CRM_TOKEN: "a", TABLES_TOKEN: "b" }
    assert.deepStrictEqual(await problemsOf({}, { ...secrets, workspace_agents: offer }, environment), [
      "workspace_agents.mcp_servers.0.name: There is no MCP server tabels"
    ])
    const [wrong = ""] = await problemsOf({}, {
      workspace_agents: { secrets: [{ name: "crm", origins: ["https://crm.example/orders"] }] }
    })
    assert.match(wrong, /^workspace_agents\.secrets\.0\.origins\.0: Must be a scheme and a host/)
  })
})
