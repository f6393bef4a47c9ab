import {
  type Agent,
  type AgentTool,
  type AgentVersion,
  decodeAgent,
  HostOffer,
  isOpenTo,
  openSecrets,
  referencesIn,
  type ToolHandler,
  type ToolHandlers
} from "@trunkline/agents"
import { AgentTools } from "@trunkline/conversation"
import { GuardedHttp, type GuardOptions, httpTool } from "@trunkline/http-client/guarded"
import { makeMcpTools, type McpServer, secretsIn } from "@trunkline/mcp"
import { Context, Effect, Either, Layer } from "effect"
import type { Agent as WireAgent } from "../generated/Resources.js"
import { isInstalled } from "./OptionalPackages.js"

/** A function that agents of workspaces may use. */
export interface OfferedFunction {
  readonly declaration: AgentTool
  readonly handler: ToolHandler
}

/** Functions, MCP servers and secrets that agents of workspaces may use. */
export interface WorkspaceOffer extends Pick<HostOffer.Service, "mcpServers" | "secrets"> {
  readonly functions: ReadonlyArray<OfferedFunction>
}

/** A call, as far as tools depend on it. */
type CallOfTools = Parameters<AgentTools.Service["of"]>[0]

/** Agents with the functions of their tools, MCP servers, and secrets by name. */
export interface ToolOptions {
  readonly agents: ReadonlyArray<Agent>
  readonly functions: AgentTools.Service
  readonly servers: ReadonlyArray<McpServer>
  readonly secrets: Readonly<Record<string, string | undefined>>
  /** Parts that agents of workspaces may use. */
  readonly offer: WorkspaceOffer
}

/** The options of tools from agents in their wire form. Invalid ones are left to the engine, which tells all that is wrong. */
export const toolOptionsOf = (
  { agents, ...options }: Omit<ToolOptions, "agents"> & { readonly agents: ReadonlyArray<WireAgent> }
): ToolOptions => ({
  ...options,
  agents: agents.flatMap((agent) => {
    const result = decodeAgent(agent)
    return Either.isRight(result) ? [result.right] : []
  })
})

/** A mistake in the options of tools, and its place. */
export interface ToolProblem {
  readonly path: string
  readonly message: string
}

type Path = ReadonlyArray<string | number>

const mcpPackage = "@modelcontextprotocol/client"

/** Servers that some agent uses, or those of workspaces may use. */
const usedServers = ({ agents, offer, servers }: ToolOptions): ReadonlyArray<McpServer> => {
  const names = new Set([
    ...agents.flatMap(({ versions }) => versions.flatMap(({ mcp_servers = [] }) => mcp_servers)),
    ...offer.mcpServers.map(({ name }) => name)
  ])
  return servers.filter(({ name }) => names.has(name))
}

/** Mistakes that show only where agents, servers and secrets meet. */
export const toolProblems = (options: ToolOptions, pathOf: (path: Path) => string): ReadonlyArray<ToolProblem> => {
  const { agents, offer, secrets, servers } = options
  const has = (name: string) => Boolean(secrets[name])
  const unknownSecrets = (path: Path, names: ReadonlyArray<string>): ReadonlyArray<ToolProblem> =>
    names.filter((name) => !has(name)).map((name) => ({
      path: pathOf(path),
      message: `There is no secret ${name}: give it in toolSecrets, or in tool_secrets_env of a configuration file`
    }))
  const unknownServers = (path: Path, name: string): ReadonlyArray<ToolProblem> =>
    servers.some((server) => server.name === name)
      ? []
      : [{ path: pathOf(path), message: `There is no MCP server ${name}` }]
  const ofVersion = ({ mcp_servers = [], tools }: AgentVersion, path: Path): ReadonlyArray<ToolProblem> => [
    ...tools.flatMap(({ http }, index) =>
      unknownSecrets(
        [...path, "tools", index, "http"],
        referencesIn(http).flatMap(({ name, source }) => source === "secrets" ? [name] : [])
      )
    ),
    ...mcp_servers.flatMap((name, index) => unknownServers([...path, "mcp_servers", index], name))
  ]
  const lacksPackage = usedServers(options).length > 0 && !isInstalled(mcpPackage)
  return [
    ...lacksPackage
      ? [{ path: pathOf(["mcpServers"]), message: `MCP servers need a package: npm i ${mcpPackage}` }]
      : [],
    ...offer.secrets.flatMap(({ name }, index) =>
      unknownSecrets(["workspaceAgents", "secrets", index, "name"], [name])
    ),
    ...offer.mcpServers.flatMap(({ name }, index) =>
      unknownServers(["workspaceAgents", "mcpServers", index, "name"], name)
    ),
    ...servers.flatMap((server, index) => unknownSecrets(["mcpServers", index], secretsIn(server))),
    ...agents.flatMap(({ versions }, index) =>
      versions.flatMap((version, at) => ofVersion(version, ["agents", index, "versions", at]))
    )
  ]
}

/** The guarded client of tools, which is made when the first request of a tool is sent. */
const clientOf = (addresses: GuardOptions) =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const client = yield* Effect.cached(
      Effect.uninterruptible(Layer.buildWithScope(GuardedHttp.layer(addresses), scope))
    )
    const send: GuardedHttp["Type"]["send"] = (request) =>
      Effect.flatMap(client, (builtContext) => Context.get(builtContext, GuardedHttp).send(request))
    return send
  })

const definedIn = (secrets: ToolOptions["secrets"]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(secrets).flatMap(([name, value]) => value === undefined ? [] : [[name, value] as const])
  )

const pick = (values: Readonly<Record<string, string>>, names: ReadonlyArray<string>) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))

/** Offer of a host to agents of workspaces, without the functions' handlers. */
const hostOfferOf = ({ functions, mcpServers, secrets }: WorkspaceOffer): HostOffer.Service => ({
  functions: functions.map(({ declaration }) => declaration),
  mcpServers,
  secrets
})

/**
 * The tools of agents: functions, requests over HTTP, and those of MCP servers. Servers that some agent uses, or those of workspaces
 * may use, are connected when the layer is built. Agents of workspaces get only what is offered to them, whenever they were stored.
 */
export const agentToolsLayer = (
  { addresses, ...options }: ToolOptions & { readonly addresses: GuardOptions }
): Layer.Layer<never> =>
  Layer.scopedContext(
    Effect.gen(function*() {
      const { agents, functions, offer } = options
      const secrets = definedIn(options.secrets)
      const send = yield* clientOf(addresses)
      const mcp = yield* makeMcpTools({ servers: usedServers(options), secrets })
      const ofCode = new Set<string>(agents.map(({ app_id }) => app_id))
      const host = hostOfferOf(offer)
      const hostHandlers = Object.fromEntries(
        offer.functions.map(({ declaration, handler }) => [declaration.name, handler])
      )

      const serversOf = ({ app_id, scope }: CallOfTools, { mcp_servers = [] }: AgentVersion) =>
        ofCode.has(app_id)
          ? mcp_servers
          : mcp_servers.filter((name) =>
            offer.mcpServers.filter(isOpenTo(scope)).some((server) => server.name === name)
          )

      const requestsOf = ({ app_id, scope }: CallOfTools, { tools }: AgentVersion): ToolHandlers =>
        Object.fromEntries(tools.flatMap(({ http, name }) => {
          if (http === undefined) return []
          const open = ofCode.has(app_id) ? secrets : pick(secrets, openSecrets(host, scope, http.url))
          return [[name, httpTool(http, { send, secrets: open })] as const]
        }))

      const service: AgentTools.Service = {
        of: (call, version) => ({
          ...mcp.of(serversOf(call, version)).handlers,
          ...(ofCode.has(call.app_id) ? functions.of(call, version) : hostHandlers),
          ...requestsOf(call, version)
        }),
        beside: (call, version) => mcp.of(serversOf(call, version)).tools
      }
      return Context.make(AgentTools, service).pipe(Context.add(HostOffer, host))
    })
  )
