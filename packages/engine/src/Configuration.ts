import { Agent } from "@trunkline/agents"
import { Invalid, type Issue, issuesOf } from "@trunkline/errors"
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
    Effect.tap(({ access }) => failWithIssues(accessIssues(access).map(inAccess)))
  )
