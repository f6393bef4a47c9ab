import { type AgentCatalog, type AgentVersion, versionForHandOver } from "@trunkline/agents"
import type { CallBrief } from "@trunkline/telephony"
import { Effect, Option } from "effect"
import type { CallPlan, CallState } from "../state/CallState.js"
import type { HandOverRoute, Team, TeamMember } from "../state/Team.js"

/** The plan of the agent that has the call, from that of any agent of its team. */
export const planOf = (plan: CallPlan, { actions }: Pick<CallState, "actions">): CallPlan => {
  const { agent, handOvers, stateName } = actions
  const member = handOvers === 0 ? undefined : plan.team[agent]
  return member === undefined ? plan : {
    ...plan,
    version: member.version,
    brief: { ...member.brief, app_overrides: stateName === null ? {} : { initial_state_name: stateName } }
  }
}

/** The hand-overs that are open to the agent that has the call. */
export const routesOf = (
  { team }: Pick<CallPlan, "team">,
  { actions: { agent } }: Pick<CallState, "actions">
): ReadonlyArray<HandOverRoute> => team[agent]?.routes ?? []

/** The first agent of a call, and what a team needs to be found. */
interface TeamParts {
  readonly agents: AgentCatalog["Type"]
  readonly brief: CallBrief
  readonly version: AgentVersion
  /** The version with the tools that it has beside its own. */
  readonly withTools: (version: AgentVersion, brief: CallBrief) => AgentVersion
}

/** Finds all agents to which a call may be handed over. One that does not exist is left out, with a warning. */
export const findTeam = ({ agents, brief, withTools, version }: TeamParts): Effect.Effect<Team> =>
  Effect.gen(function*() {
    const reachable: Array<Omit<TeamMember, "routes">> = [{ version: withTools(version, brief), brief }]
    const routes: Array<ReadonlyArray<HandOverRoute>> = []
    for (let index = 0; index < reachable.length; index++) {
      const mine: Array<HandOverRoute> = []
      for (const handOver of reachable[index]?.version.hand_overs ?? []) {
        const { app_id } = handOver
        const next = Option.flatMap(
          yield* agents.find(brief.scope, app_id),
          (agent) => versionForHandOver(agent, handOver)
        )
        if (Option.isNone(next)) {
          yield* Effect.logWarning(
            `A call cannot be handed over to the agent ${app_id}: there is no such version of it`
          )
          continue
        }
        const { app_version } = next.value
        const place = reachable.findIndex(({ brief }) => brief.app_id === app_id && brief.app_version === app_version)
        const to = place === -1 ? reachable.length : place
        if (place === -1) {
          const theirs = { ...brief, app_id, app_version, app_overrides: {} }
          reachable.push({ version: withTools(next.value, theirs), brief: theirs })
        }
        mine.push({ handOver, to })
      }
      routes.push(mine)
    }
    const members = reachable.map((member, index): TeamMember => ({ ...member, routes: routes[index] ?? [] }))
    const [first = { version, brief, routes: [] }, ...others] = members
    return [first, ...others]
  })
