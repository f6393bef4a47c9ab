import { Agent, handOverIssues } from "@trunkline/agents"
import { Invalid, type Issue, issuesOf } from "@trunkline/errors"
import { phoneLengthProblem } from "@trunkline/kernel"
import { Connection } from "@trunkline/telephony"
import { Array, Effect, Schema } from "effect"
import { Access, accessIssues, failWithIssues } from "./Access.js"

/** Agents, connections, and access to them, as they are written in a configuration. */
export const Configuration = Schema.Struct({
  /** Agents that every workspace can use. */
  agents: Schema.Array(Agent),
  /** Phone lines that every workspace can use. */
  connections: Schema.Array(Connection),
  /** Accounts, workspaces and API keys; none by default, so that only code can use the engine. */
  access: Schema.optionalWith(Access, { exact: true, default: () => ({ accounts: [], workspaces: [], keys: [] }) })
})
export type Configuration = typeof Configuration.Type

/** Removes the path segment `body`, since options are not the body of a request. */
const withoutPrefix = (issue: Issue): Issue => ({ ...issue, loc: issue.loc.slice(1) })

const inAccess = (issue: Issue): Issue => ({ ...issue, loc: ["access", ...issue.loc] })

/** Issues of numbers of lines that have too few or too many digits for their country. */
const lengthIssues = (connections: ReadonlyArray<Connection>): ReadonlyArray<Issue> =>
  connections.flatMap(({ phone_numbers }, index) =>
    phone_numbers.flatMap((number, position) => {
      const msg = phoneLengthProblem(number)
      return msg === null ? [] : [{ loc: ["connections", index, "phone_numbers", position], msg, type: "value_error" }]
    })
  )

/** Issues of options of simulated lines, which have none. */
const simulatorIssues = (connections: ReadonlyArray<Connection>): ReadonlyArray<Issue> =>
  connections.flatMap(({ options, provider }, index) =>
    provider !== "simulator" ? [] : Object.keys(options).map((name): Issue => ({
      loc: ["connections", index, "options", name],
      msg: "is not a known field; a line of the simulator has no options",
      type: "value_error"
    }))
  )

/** Issues of hand-overs of calls to agents, versions and states that do not exist. */
const teamIssues = (agents: ReadonlyArray<Agent>): ReadonlyArray<Issue> =>
  handOverIssues(agents).map(({ message, path }) => ({ loc: ["agents", ...path], msg: message, type: "value_error" }))

/**
 * Decodes a configuration. Fails with `Invalid`, which lists every issue, when agents, connections or keys are malformed
 * or name unknown accounts.
 */
export const decodeConfiguration = (
  { access, agents, connections }: typeof Configuration.Encoded
): Effect.Effect<Configuration, Invalid> =>
  Schema.decodeUnknown(Configuration, { errors: "all", onExcessProperty: "error" })({
    agents,
    connections,
    ...(access !== undefined && { access })
  }).pipe(
    Effect.mapError((error) => new Invalid({ issues: Array.map(issuesOf(error, "body"), withoutPrefix) })),
    Effect.tap(({ access, agents, connections }) =>
      failWithIssues([
        ...teamIssues(agents),
        ...lengthIssues(connections),
        ...simulatorIssues(connections),
        ...accessIssues(access).map(inAccess)
      ])
    )
  )
