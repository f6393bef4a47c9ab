import { valuesOf } from "../../assembly/ToolSettings.js"
import { type Finding, finding } from "../../data/Doctor.js"
import type { Environment } from "../../server/ConfigFields.js"
import type { LoadedConfig } from "../../server/LoadConfig.js"

/** MCP servers of a configuration, and the values of their secrets. */
const settingsOf = (loadedConfig: LoadedConfig, environment: Environment) => {
  if (loadedConfig.kind === "json") {
    const { mcp_servers, tool_secrets_env } = loadedConfig.config
    return { servers: mcp_servers, secrets: valuesOf(tool_secrets_env, environment) }
  }
  const { mcpServers = [], toolSecrets = {} } = loadedConfig.options
  return { servers: mcpServers, secrets: toolSecrets }
}

/** Findings about the MCP servers of the configuration: their tools, or why there are none. */
export const serverFindings = async (
  loadedConfig: LoadedConfig,
  environment: Environment
): Promise<ReadonlyArray<Finding>> => {
  const { secrets, servers } = settingsOf(loadedConfig, environment)
  if (servers.length === 0) return []
  const { inspectServer } = await import("@trunkline/mcp")
  const values = Object.fromEntries(Object.entries(secrets).flatMap(([name, value]) => value ? [[name, value]] : []))
  return Promise.all(servers.map(async (server) => {
    const { problems, tools } = await inspectServer(server, { secrets: values })
    const names = tools.map(({ name }) => name)
    const detail = names.length === 0 ? "no tools" : `${names.length} tools: ${names.join(", ")}`
    return finding(`mcp ${server.name}`, detail, problems.length === 0 ? null : problems.join("; "))
  }))
}
