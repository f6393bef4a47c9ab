import { RuleViolation } from "@trunkline/errors"
import type { AppId, ConnectionId, PhoneNumber, Scope } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import type { Connections } from "./carriers/Connection.js"

/** Port to the agents: tells which agent versions can take calls. */
export class AgentVersions extends Context.Tag("@trunkline/telephony/AgentVersions")<AgentVersions, {
  /** True when the workspace has this version of the agent and it is committed. */
  readonly isCommitted: (scope: Scope, app_id: AppId, app_version: number) => Effect.Effect<boolean>
  /** Numbers of the agent's committed versions, the lowest first; none when the workspace has no such agent. */
  readonly committed: (scope: Scope, app_id: AppId) => Effect.Effect<Option.Option<ReadonlyArray<number>>>
  /** Names of the output variables of a version; null where they are not known. */
  readonly outputs: (
    scope: Scope,
    app_id: AppId,
    app_version: number
  ) => Effect.Effect<ReadonlyArray<string> | null>
}>() {
  /** Accepts every version of every agent, with any output variables. */
  static readonly layerAny = Layer.succeed(AgentVersions, {
    isCommitted: () => Effect.succeed(true),
    committed: () => Effect.succeedSome([]),
    outputs: () => Effect.succeed(null)
  })
}

type Issue = RuleViolation["issues"][number]

const issue = (loc: Issue["loc"], msg: string): Issue => ({ loc, msg, type: "rule_violation" })

/** Phone numbers of a connection as referenced by a request, with their location in its body. */
export interface ConnectionReference {
  readonly connection_id: ConnectionId
  readonly phone_numbers: ReadonlyArray<PhoneNumber>
  readonly loc: ReadonlyArray<string | number>
  /** Name of the field that holds the numbers. */
  readonly key: string
}

/**
 * Validates the connections and numbers that a request references. Reports unknown connections, numbers that do not
 * belong to their connection, and numbers that occur twice.
 */
export const connectionIssues = (
  connections: typeof Connections.Service,
  scope: Scope,
  lines: ReadonlyArray<ConnectionReference>
): Effect.Effect<ReadonlyArray<Issue>> =>
  Effect.gen(function*() {
    const issues: Array<Issue> = []
    const numbers = new Set<PhoneNumber>()
    for (const line of lines) {
      const connection = yield* connections.find(scope, line.connection_id)
      if (Option.isNone(connection)) {
        issues.push(
          issue([...line.loc, "connection_id"], `No connection with the id "${line.connection_id}" is configured`)
        )
        continue
      }
      const theirs = new Set<string>(connection.value.phone_numbers)
      for (const [index, number] of line.phone_numbers.entries()) {
        const loc = line.phone_numbers.length === 1 && line.key === "agent_phone_number"
          ? [...line.loc, line.key]
          : [...line.loc, line.key, index]
        if (!theirs.has(number)) issues.push(issue(loc, "This number does not belong to the connection"))
        else if (numbers.has(number)) issues.push(issue(loc, "This number is named twice"))
        numbers.add(number)
      }
    }
    return issues
  })

/** Versions that a message lists, the newest. */
const maxListed = 20

/** The committed versions of an agent in words, for a message about one that is not. */
const committedInWords = (versions: ReadonlyArray<number>): string => {
  if (versions.length === 0) return "it has no committed version: commit one first"
  const list = versions.slice(-maxListed).join(", ")
  return `committed: ${versions.length > maxListed ? `…, ${list}` : list}`
}

/** Validates the agent version that a request references: it must exist and be committed. */
export const agentIssues = (
  agents: typeof AgentVersions.Service,
  scope: Scope,
  agent: { readonly app_id: AppId; readonly app_version: number; readonly loc: ReadonlyArray<string | number> }
): Effect.Effect<ReadonlyArray<Issue>> =>
  Effect.flatMap(
    agents.isCommitted(scope, agent.app_id, agent.app_version),
    (isCommitted) =>
      isCommitted ? Effect.succeed([]) : Effect.map(
        agents.committed(scope, agent.app_id),
        Option.match({
          onNone: () => [issue([...agent.loc, "app_id"], `There is no agent "${agent.app_id}"`)],
          onSome: (versions) => [
            issue(
              [...agent.loc, "app_version"],
              `Version ${agent.app_version} of the agent "${agent.app_id}" is not committed; ${
                committedInWords(versions)
              }`
            )
          ]
        })
      )
  )

/** Fails with a `RuleViolation` that lists all issues; succeeds when there are none. */
export const failOnIssues = (issues: ReadonlyArray<Issue>): Effect.Effect<void, RuleViolation> => {
  const [first, ...rest] = issues
  return first === undefined ? Effect.void : Effect.fail(new RuleViolation({ issues: [first, ...rest] }))
}
