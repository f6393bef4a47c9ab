import { type Scope, unchecked } from "@trunkline/kernel"
import { Array, Effect, Layer, Option } from "effect"
import { Agent, AgentCatalog, versionOf } from "../Agent.js"
import { AgentVersion } from "../AgentVersion.js"
import type { AgentEntry, VersionEntry } from "./AgentRecord.js"
import { AgentStore } from "./AgentStore.js"

const asVersion = ({ version }: VersionEntry): AgentVersion => new AgentVersion(version, unchecked)

/** An agent of a workspace, as calls take it; none without a version. */
const asAgent = ({ app_id, name }: AgentEntry, entries: ReadonlyArray<VersionEntry>): Option.Option<Agent> => {
  const versions = entries.map(asVersion)
  return Array.isNonEmptyReadonlyArray(versions)
    ? Option.some(new Agent({ app_id, ...(name !== null && { name }), versions }, unchecked))
    : Option.none()
}

/**
 * Agents of the code, which every workspace has, and then those of the workspace. An agent of the code hides one of a workspace with
 * the same id. Those of a workspace are read from the store at each use, so that all processes see a change at once; versions of
 * agents of the code take no query.
 */
export const workspaceCatalogLayer = (agents: ReadonlyArray<Agent>): Layer.Layer<AgentCatalog, never, AgentStore> =>
  Layer.effect(
    AgentCatalog,
    Effect.map(AgentStore, (store) => {
      const ofCode = new Map<string, Agent>(agents.map((agent) => [agent.app_id, agent]))
      const load = (scope: Scope, entry: AgentEntry) =>
        Effect.map(store.versions(scope, entry.app_id), (versions) => asAgent(entry, versions))
      return AgentCatalog.of({
        list: (scope) =>
          Effect.flatMap(
            store.list(scope),
            (entries) =>
              Effect.forEach(entries.filter(({ app_id }) => !ofCode.has(app_id)), (entry) => load(scope, entry))
          ).pipe(
            Effect.map((ownAgents) => [...agents, ...Array.getSomes(ownAgents)])
          ),
        find: (scope, app_id) => {
          const agent = ofCode.get(app_id)
          return agent === undefined
            ? Effect.flatMap(
              store.find(scope, app_id),
              Option.match({ onNone: () => Effect.succeedNone, onSome: (entry) => load(scope, entry) })
            )
            : Effect.succeedSome(agent)
        },
        version: (scope, app_id, app_version) => {
          const agent = ofCode.get(app_id)
          return agent === undefined
            ? Effect.map(store.findVersion(scope, app_id, app_version), Option.map(asVersion))
            : Effect.succeed(versionOf(agent, app_version))
        }
      })
    })
  )
