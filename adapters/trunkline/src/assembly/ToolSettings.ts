import { type ToolOptions, toolProblems, type WorkspaceOffer } from "./AgentToolsLayer.js"

type Environment = Readonly<Record<string, string | undefined>>

/** Parts of a configuration file that are about tools. */
interface ToolSettings extends Pick<ToolOptions, "agents"> {
  readonly mcp_servers: ToolOptions["servers"]
  readonly tool_secrets_env: Readonly<Record<string, string>>
  readonly workspace_agents: {
    readonly secrets: WorkspaceOffer["secrets"]
    readonly mcp_servers: WorkspaceOffer["mcpServers"]
  }
}

/** Values of environment variables, by the names of the secrets that they hold. */
export const valuesOf = (
  names: Readonly<Record<string, string>>,
  environment: Environment
): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(names).map(([name, variable]) => [name, environment[variable]]))

/** Tools of the agents of a configuration file. It has no functions. */
export const configToolOptions = (
  { agents, mcp_servers, tool_secrets_env, workspace_agents }: ToolSettings,
  environment: Environment
): ToolOptions => ({
  agents,
  functions: { of: () => ({}) },
  servers: mcp_servers,
  secrets: valuesOf(tool_secrets_env, environment),
  offer: { functions: [], secrets: workspace_agents.secrets, mcpServers: workspace_agents.mcp_servers }
})

/** Names of a configuration file for those of options. */
const fileNames: Readonly<Record<string, string>> = { mcpServers: "mcp_servers", workspaceAgents: "workspace_agents" }

const pathOf = (path: ReadonlyArray<string | number>): string => path.map((part) => fileNames[part] ?? part).join(".")

/** Problems with the tools of a configuration file, one line each. */
export const configToolProblems = (config: ToolSettings, environment: Environment): ReadonlyArray<string> => {
  const { agents, mcp_servers, tool_secrets_env } = config
  const missing = Object.entries(tool_secrets_env).flatMap(([name, variable]) =>
    environment[variable] ? [] : [`tool_secrets_env.${name}: The environment variable ${variable} is not set`]
  )
  const names = mcp_servers.map(({ name }) => name)
  const twice = names.flatMap((name, index) =>
    names.indexOf(name) < index ? [`mcp_servers.${index}.name: ${name} is given twice`] : []
  )
  const lacking = agents.flatMap(({ versions }, agent) =>
    versions.flatMap(({ tools }, version) =>
      tools.flatMap(({ http }, tool) =>
        http === undefined
          ? [`agents.${agent}.versions.${version}.tools.${tool}: Needs http: only code has tools with functions`]
          : []
      )
    )
  )
  // A secret whose variable is not set has been told already.
  const placeholders = Object.fromEntries(Object.keys(tool_secrets_env).map((name) => [name, "set"]))
  const others = toolProblems({ ...configToolOptions(config, environment), secrets: placeholders }, pathOf)
  return [...missing, ...twice, ...lacking, ...others.map(({ message, path }) => `${path}: ${message}`)]
}
