import { misspeltName } from "@trunkline/errors"
import { Option } from "effect"
import { type Agent, stateNames, versionOf } from "./Agent.js"
import type { HandOver } from "./AgentActions.js"
import type { AgentVersion } from "./AgentVersion.js"

/** The version of an agent that goes on with a call: the one that the hand-over names, else the newest that is committed. */
export const versionForHandOver = (agent: Agent, { app_version }: HandOver): Option.Option<AgentVersion> =>
  app_version === undefined
    ? Option.fromNullable(
      agent.versions.filter(({ committed }) => committed).toSorted((one, other) => other.app_version - one.app_version)[
        0
      ]
    )
    : versionOf(agent, app_version)

/** A mistake in a hand-over, and its place among the agents. */
export interface HandOverIssue {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
}

const issuesOf = (agents: ReadonlyArray<Agent>, handOver: HandOver): ReadonlyArray<HandOverIssue> => {
  const { app_id, app_version, initial_state_name } = handOver
  const agent = agents.find((each) => each.app_id === app_id)
  if (agent === undefined) {
    const near = misspeltName(app_id, agents.map((each) => each.app_id))
    return [{
      path: ["app_id"],
      message: `There is no agent ${app_id}${near === undefined ? "" : `; did you mean ${near}?`}`
    }]
  }
  const version = Option.getOrUndefined(versionForHandOver(agent, handOver))
  if (version === undefined) {
    return app_version === undefined
      ? [{ path: ["app_id"], message: `The agent ${app_id} has no committed version: commit one, or name a version` }]
      : [{ path: ["app_version"], message: `The agent ${app_id} has no version ${app_version}` }]
  }
  const states = stateNames(version) ?? []
  return initial_state_name === undefined || states.includes(initial_state_name) ? [] : [{
    path: ["initial_state_name"],
    message: states.length === 0
      ? `The agent ${app_id} has no states`
      : `The agent ${app_id} has no state ${initial_state_name}: it has ${states.join(", ")}`
  }]
}

/** Mistakes of the hand-overs of a version, with their places in it: unknown agents, versions and states, and its own agent. */
export const versionHandOverIssues = (
  agents: ReadonlyArray<Agent>,
  app_id: string,
  { hand_overs = [] }: Pick<AgentVersion, "hand_overs">
): ReadonlyArray<HandOverIssue> =>
  hand_overs.flatMap((handOver, number) => {
    const issues = handOver.app_id === app_id
      ? [{ path: ["app_id"], message: "An agent cannot hand a call over to itself" }]
      : issuesOf(agents, handOver)
    return issues.map(({ message, path }) => ({ path: ["hand_overs", number, ...path], message }))
  })

/** Mistakes of hand-overs that show only where agents meet, with their places among the agents. */
export const handOverIssues = (agents: ReadonlyArray<Agent>): ReadonlyArray<HandOverIssue> =>
  agents.flatMap(({ app_id, versions }, index) =>
    versions.flatMap((version, at) =>
      versionHandOverIssues(agents, app_id, version).map(({ message, path }) => ({
        path: [index, "versions", at, ...path],
        message
      }))
    )
  )
