import { unknownFields } from "@trunkline/errors"
import { AppId, type Scope, type Variables } from "@trunkline/kernel"
import { Context, Effect, Layer, Option, ParseResult, Schema } from "effect"
import { AgentVersion } from "./AgentVersion.js"

/** An agent: an id chosen by the host application, and its numbered versions. */
export class Agent extends Schema.Class<Agent>("Agent")(
  Schema.Struct({
    /** Id chosen by the host application, by which calls, campaigns and deployments name the agent. */
    app_id: AppId,
    /** Display name, for instance on boards; absent: the id. */
    name: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
    /** Numbered versions, in any order. */
    versions: Schema.NonEmptyArray(AgentVersion)
  }).pipe(
    Schema.filter(({ versions }) =>
      versions.flatMap(({ app_version }, index) =>
        versions.findIndex((other) => other.app_version === app_version) < index
          ? [{ path: ["versions", index, "app_version"], message: `version ${app_version} is listed twice` }]
          : []
      )
    )
  )
) {}

/** Decodes an agent from its wire form. Rejects unknown keys and reports all issues. */
export const decodeAgent = Schema.decodeUnknownEither(Agent, { onExcessProperty: "error", errors: "all" })

/** Messages about the keys of a definition that do not exist, by their paths. */
const unknownIn = ({ issue }: ParseResult.ParseError): ReadonlyMap<string, string> =>
  new Map(
    "ast" in issue && issue._tag !== "Missing"
      ? unknownFields(Schema.make<unknown>(issue.ast))(issue.actual, []).map(({ loc, msg }) => [loc.join("."), msg])
      : []
  )

/** Formats the issues of a definition, one line per path, such as `versions.0.committed: is missing`. */
export const definitionIssues = (error: ParseResult.ParseError): ReadonlyArray<string> => {
  const unknownNames = unknownIn(error)
  const issues = ParseResult.ArrayFormatter.formatErrorSync(error)
    .map(({ path, message }) => ({ place: path.map(String).join("."), message }))
    .map(({ message, place }) => ({ place, message: unknownNames.get(place) ?? message }))
  return issues
    .filter(({ place }, index) =>
      issues.findIndex((other) => other.place === place) === index &&
      !issues.some((other) => other.place.startsWith(place === "" ? "" : `${place}.`) && other.place !== place)
    )
    .map(({ place, message }) => place === "" ? message : `${place}: ${message}`)
}

/** Versions that a message lists. */
const maxListed = 20

/** The version with this number. */
export const versionOf = (agent: Agent, app_version: number): Option.Option<AgentVersion> =>
  Option.fromNullable(agent.versions.find((version) => version.app_version === app_version))

/** Versions of an agent in words, for a message about one that it has not: `1, 2 (a draft)`, the last twenty at most. */
export const versionList = (
  { versions }: { readonly versions: ReadonlyArray<{ readonly app_version: number; readonly committed: boolean }> }
): string => {
  const order = versions.toSorted((one, other) => one.app_version - other.app_version)
  const names = order.map(({ app_version, committed }) => committed ? `${app_version}` : `${app_version} (a draft)`)
  return `${names.length > maxListed ? "…, " : ""}${names.slice(-maxListed).join(", ")}`
}

/** Returns true when this version exists and may take calls. */
export const isCommitted = (agent: Agent, app_version: number): boolean =>
  Option.exists(versionOf(agent, app_version), (version) => version.committed)

/** Numbers of the versions that may take calls, the lowest first. */
export const committedVersions = ({ versions }: Agent): ReadonlyArray<number> =>
  versions.filter(({ committed }) => committed).map(({ app_version }) => app_version).toSorted((one, other) =>
    one - other
  )

/** The variables that a call accepts; null means any. */
export const declaredVariables = (version: AgentVersion): ReadonlyArray<string> | null => version.variables

/** Names of the given variables that the version does not declare. */
export const undeclaredVariables = (version: AgentVersion, variables: Variables): ReadonlyArray<string> => {
  const declaredNames = declaredVariables(version)
  return declaredNames === null ? [] : Object.keys(variables).filter((name) => !declaredNames.includes(name))
}

/** Names of the states in which a call may start: the steps of the script, or the declared states; null without any. */
export const stateNames = (version: AgentVersion): ReadonlyArray<string> | null =>
  version.script?.map((step) => step.id) ?? version.states?.map((state) => state.name) ?? null

/** Names of the output variables that a call needs before it counts as done. */
export const requiredOutputs = (version: AgentVersion): ReadonlyArray<string> =>
  version.output_variables.filter((output) => output.required).map((output) => output.name)

/** Looks up the agents of a workspace. */
export class AgentCatalog extends Context.Tag("@trunkline/agents/AgentCatalog")<AgentCatalog, {
  /** The agents of the workspace, in the order of their definition. */
  readonly list: (scope: Scope) => Effect.Effect<ReadonlyArray<Agent>>
  /** Finds an agent of the workspace. */
  readonly find: (scope: Scope, app_id: AppId) => Effect.Effect<Option.Option<Agent>>
  /** Finds a version of an agent, committed or not. */
  readonly version: (
    scope: Scope,
    app_id: AppId,
    app_version: number
  ) => Effect.Effect<Option.Option<AgentVersion>>
}>() {
  /** The same agents in every workspace. */
  static readonly layerOf = (agents: ReadonlyArray<Agent>) => {
    const byId = new Map(agents.map((agent) => [agent.app_id, agent]))
    const find = (app_id: AppId) => Option.fromNullable(byId.get(app_id))
    return Layer.succeed(AgentCatalog, {
      list: () => Effect.succeed(agents),
      find: (_scope, app_id) => Effect.succeed(find(app_id)),
      version: (_scope, app_id, app_version) =>
        Effect.succeed(Option.flatMap(find(app_id), (agent) => versionOf(agent, app_version)))
    })
  }
}
