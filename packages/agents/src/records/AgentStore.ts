import { type AppId, MemoryTable, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import type { AgentEntry, VersionEntry } from "./AgentRecord.js"

/** Size of what a workspace stores. */
export interface AgentUsage {
  readonly agents: number
  /** Characters of all versions as JSON. */
  readonly characters: number
}

/** A version to store, and its size. */
export interface SizedVersion {
  readonly entry: VersionEntry
  /** Characters of its definition as JSON. */
  readonly characters: number
}

/**
 * Stores the agents of workspaces and their versions, which are invisible to other workspaces. Every write joins the running
 * transaction. Nothing is kept apart from the database, so that all processes see a change at once.
 */
export class AgentStore extends Context.Tag("@trunkline/agents/AgentStore")<AgentStore, {
  /** Agents of a workspace, by their ids. */
  readonly list: (scope: Scope) => Effect.Effect<ReadonlyArray<AgentEntry>>
  readonly find: (scope: Scope, app_id: AppId) => Effect.Effect<Option.Option<AgentEntry>>
  /** Stores an agent, in place of the one with the same id. */
  readonly put: (scope: Scope, agent: AgentEntry) => Effect.Effect<void>
  /** Versions of an agent in ascending order; none for an agent that does not exist. */
  readonly versions: (scope: Scope, app_id: AppId) => Effect.Effect<ReadonlyArray<VersionEntry>>
  readonly findVersion: (
    scope: Scope,
    app_id: AppId,
    app_version: number
  ) => Effect.Effect<Option.Option<VersionEntry>>
  /** Stores a version of an agent, in place of the one with the same number. */
  readonly putVersion: (scope: Scope, app_id: AppId, version: SizedVersion) => Effect.Effect<void>
  readonly usage: (scope: Scope) => Effect.Effect<AgentUsage>
}>() {
  /** Stores agents in memory. */
  static readonly layerMemory = Layer.sync(AgentStore, () => makeMemory())
}

interface Row<A> {
  readonly scope: string
  readonly app_id: AppId
  readonly value: A
}

const makeMemory = (): (typeof AgentStore)["Service"] => {
  const agents = MemoryTable.make<string, Row<AgentEntry>>()
  const versions = MemoryTable.make<string, Row<SizedVersion>>()
  const agentKey = (scope: Scope, app_id: AppId) => `${scopeKey(scope)}/${app_id}`
  const versionKey = (scope: Scope, app_id: AppId, app_version: number) => `${agentKey(scope, app_id)}/${app_version}`
  const rowsIn = <A>(rows: MemoryTable<string, Row<A>>, scope: Scope) =>
    [...rows.values()].filter((row) => row.scope === scopeKey(scope))
  return {
    list: (scope) =>
      Effect.sync(() =>
        rowsIn(agents, scope).map(({ value }) => value).sort((one, other) => one.app_id < other.app_id ? -1 : 1)
      ),
    find: (scope, app_id) => Effect.sync(() => Option.fromNullable(agents.get(agentKey(scope, app_id))?.value)),
    put: (scope, value) =>
      agents.set(agentKey(scope, value.app_id), { scope: scopeKey(scope), app_id: value.app_id, value }),
    versions: (scope, app_id) =>
      Effect.sync(() =>
        rowsIn(versions, scope).filter((row) => row.app_id === app_id).map(({ value }) => value.entry)
          .sort((one, other) => one.version.app_version - other.version.app_version)
      ),
    findVersion: (scope, app_id, app_version) =>
      Effect.sync(() => Option.fromNullable(versions.get(versionKey(scope, app_id, app_version))?.value.entry)),
    putVersion: (scope, app_id, value) =>
      versions.set(versionKey(scope, app_id, value.entry.version.app_version), {
        scope: scopeKey(scope),
        app_id,
        value
      }),
    usage: (scope) =>
      Effect.sync(() => ({
        agents: rowsIn(agents, scope).length,
        characters: rowsIn(versions, scope).reduce((sum, { value }) => sum + value.characters, 0)
      }))
  }
}
