import { draftIssues, versionList } from "@trunkline/agents"
import { createClient, type TrunklineClient, TrunklineError } from "@trunkline/client"
import { resolve } from "node:path"
import { StartError } from "../../server/Explain.js"
import type { CommandCall } from "../Call.js"
import { agentIn } from "../replay/ReplayAgents.js"
import { serverAccess } from "./ServerAccess.js"

/** An agent of a server. */
type AgentRecord = Awaited<ReturnType<TrunklineClient["agents"]["get"]>>

/** An agent and, where one is asked for, the number of its version. */
interface AgentReference {
  readonly app_id: string
  readonly app_version: number | null
}

const clientOf = (call: CommandCall): TrunklineClient => {
  try {
    return createClient(serverAccess(call))
  } catch (error) {
    if (error instanceof TypeError) throw new StartError(error.message.replace(/^createClient: /, ""))
    throw error
  }
}

/** Throws a refusal of the server with the place of each issue. */
const refuse = (error: unknown): never => {
  if (!(error instanceof TrunklineError)) throw error
  const lines = error.issues.map(({ loc, msg }) => loc.length === 0 ? msg : `${loc.join(".")}: ${msg}`)
  throw new StartError(lines.length === 0 ? error.message : lines.join("\n"))
}

/** Reads an operand such as `reminder@3`. An id may have an `@` itself, so that the last one counts. */
const referenceOf = (operand: string | undefined, action: string): AgentReference => {
  if (operand === undefined) {
    throw new StartError(`Name the agent: trunkline agents ${action} reminder${action === "show" ? "" : "@3"}`)
  }
  const [, app_id, number] = /^(.+)@(\d{1,9})$/.exec(operand) ?? []
  return app_id === undefined ? { app_id: operand, app_version: null } : { app_id, app_version: Number(number) }
}

/** An agent of the server. Throws with the ids of those that there are. */
const agentOf = async (client: TrunklineClient, { app_id }: AgentReference): Promise<AgentRecord> => {
  const { items } = await client.agents.list().catch(refuse)
  const agent = items.find((one) => one.app_id === app_id)
  if (agent !== undefined) return agent
  const ids = items.map((one) => one.app_id).join(", ")
  throw new StartError(`There is no agent ${app_id}${ids === "" ? " and no other one" : `: there are ${ids}`}`)
}

const versionOf = (agent: AgentRecord, app_version: number) => {
  const version = agent.versions.find((one) => one.app_version === app_version)
  if (version !== undefined) return version
  throw new StartError(`${agent.app_id} has no version ${app_version}: it has ${versionList(agent)}`)
}

const list = async (call: CommandCall): Promise<number> => {
  const { items } = await clientOf(call).agents.list().catch(refuse)
  if (call.flags["json"] === true) {
    call.print(JSON.stringify(items, null, 2))
    return 0
  }
  for (const agent of items) {
    const name = agent.name === undefined ? "" : `  ${agent.name}`
    call.print(`${agent.app_id}  ${agent.source}  versions ${versionList(agent)}${name}`)
  }
  if (items.length === 0) call.print("There are no agents: docs/agents.md says how to make some")
  return 0
}

/** Prints an agent, or one version of it, as JSON. */
const show = async (call: CommandCall, operand: string | undefined): Promise<number> => {
  const reference = referenceOf(operand, "show")
  const agent = await agentOf(clientOf(call), reference)
  const definition = reference.app_version === null ? agent : versionOf(agent, reference.app_version)
  call.print(JSON.stringify(definition, null, 2))
  return 0
}

/** Mistakes of a file; none when it is an agent that a server can take. */
const mistakesIn = (file: string): ReadonlyArray<string> => {
  try {
    return agentIn(file).versions.flatMap((version, at) =>
      draftIssues(version).map(({ message, path }) => `${["versions", at, ...path].join(".")}: ${message}`)
    )
  } catch (error) {
    if (error instanceof StartError) return [error.message]
    throw error
  }
}

/** Checks files of agents without a server. The exit code is 1 when one of them has a mistake. */
const check = (call: CommandCall, paths: ReadonlyArray<string>): number => {
  if (paths.length === 0) throw new StartError("Name the files: trunkline agents check reminder.json")
  const wrong = paths.filter((path) => {
    const mistakes = mistakesIn(resolve(call.folder, path))
    for (const line of mistakes) call.print(`${path}: ${line}`)
    if (mistakes.length === 0) call.print(`${path}: no mistakes`)
    return mistakes.length > 0
  })
  return wrong.length === 0 ? 0 : 1
}

const commit = async (call: CommandCall, operand: string | undefined): Promise<number> => {
  const reference = referenceOf(operand, "commit")
  const client = clientOf(call)
  const agent = await agentOf(client, reference)
  if (reference.app_version === null) {
    throw new StartError(`Name the version, such as ${agent.app_id}@1: it has ${versionList(agent)}`)
  }
  const { committed, revision } = versionOf(agent, reference.app_version)
  const name = `${agent.app_id}@${reference.app_version}`
  if (committed) {
    call.print(`${name}: is committed already`)
    return 0
  }
  if (revision === null) {
    throw new StartError(`${name} is a draft of the server's code or configuration: commit it there`)
  }
  await client.agents.commitVersion(agent.app_id, reference.app_version, { revision }).catch(refuse)
  call.print(`${name}: committed`)
  return 0
}

/** `trunkline agents`: lists, shows and commits agents of a running server, and checks files of agents. */
export const agents = async (call: CommandCall): Promise<number> => {
  const [action, ...operands] = call.operands
  const [operand, more] = operands
  if (more !== undefined && action !== "check") throw new StartError(`agents ${action} takes one agent`)
  switch (action) {
    case "list":
      return list(call)
    case "show":
      return show(call, operand)
    case "check":
      return check(call, operands)
    case "commit":
      return commit(call, operand)
    default:
      throw new StartError("agents takes one of list, show, check and commit: trunkline agents --help shows its usage")
  }
}
