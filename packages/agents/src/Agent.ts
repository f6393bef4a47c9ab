import { AppId, type Variables } from "@trunkline/kernel"
import { Option, ParseResult, Schema } from "effect"
import { AgentVersion } from "./AgentVersion.js"

/** An agent: an id chosen by the embedder, and its numbered versions (shapes 12). */
export class Agent extends Schema.Class<Agent>("Agent")(
  Schema.Struct({
    app_id: AppId,
    /** What people call it, on boards; its id when absent. */
    name: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
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

/** Reads an agent from its wire form; keys that do not exist are refused, and every issue is reported. */
export const decodeAgent = Schema.decodeUnknownEither(Agent, { onExcessProperty: "error", errors: "all" })

/** One line per place where a definition is wrong, such as `versions.0.committed: is missing`. */
export const definitionIssues = (error: ParseResult.ParseError): ReadonlyArray<string> => {
  const issues = ParseResult.ArrayFormatter.formatErrorSync(error)
    .map(({ path, message }) => ({ place: path.map(String).join("."), message }))
  return issues
    .filter(({ place }, index) =>
      issues.findIndex((other) => other.place === place) === index &&
      !issues.some((other) => other.place.startsWith(place === "" ? "" : `${place}.`) && other.place !== place)
    )
    .map(({ place, message }) => place === "" ? message : `${place}: ${message}`)
}

/** The version of this number. */
export const versionOf = (agent: Agent, app_version: number): Option.Option<AgentVersion> =>
  Option.fromNullable(agent.versions.find((version) => version.app_version === app_version))

/** Whether this version exists and may take calls. */
export const isCommitted = (agent: Agent, app_version: number): boolean =>
  Option.exists(versionOf(agent, app_version), (version) => version.committed)

/** The variables that a call may be given; null means any. */
export const declaredVariables = (version: AgentVersion): ReadonlyArray<string> | null => version.variables

/** Those of the given variables that the version does not declare. */
export const undeclaredVariables = (version: AgentVersion, given: Variables): ReadonlyArray<string> => {
  const declared = declaredVariables(version)
  return declared === null ? [] : Object.keys(given).filter((name) => !declared.includes(name))
}

/** The states that a call may begin in: the steps of a script, or the declared states; null when there are none. */
export const stateNames = (version: AgentVersion): ReadonlyArray<string> | null =>
  version.script?.map((step) => step.id) ?? version.states?.map((state) => state.name) ?? null

/** The output variables that a call needs before it counts as done. */
export const requiredOutputs = (version: AgentVersion): ReadonlyArray<string> =>
  version.output_variables.filter((output) => output.required).map((output) => output.name)
