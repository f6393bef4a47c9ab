import { NotFound, RuleViolation } from "@trunkline/errors"
import { AppId, type Scope, unchecked } from "@trunkline/kernel"
import { Array, Effect, Option } from "effect"
import type { Agent } from "../Agent.js"
import { differencesOf } from "./AgentDifference.js"
import type { AgentEntry, AgentRecord, VersionEntry, VersionRecord } from "./AgentRecord.js"
import type { AgentStore } from "./AgentStore.js"

/** A version of an agent, by the ids in the path of a request. */
export interface VersionPath {
  readonly app_id: string
  readonly app_version: number
}

const history = { revision: null, created_at: null, updated_at: null, committed_at: null, updated_by: null }

const codeRecord = ({ versions: [first, ...others], ...agent }: Agent): AgentRecord => ({
  ...agent,
  source: "code",
  revision: null,
  created_at: null,
  updated_at: null,
  versions: [{ ...first, ...history }, ...others.map((version) => ({ ...version, ...history }))]
})

/** A version of an agent of a workspace with its history. */
export const versionRecord = ({ version, ...others }: VersionEntry): VersionRecord => ({ ...version, ...others })

const agentRecord = (
  { app_id, created_at, name, revision, updated_at }: AgentEntry,
  entries: ReadonlyArray<VersionEntry>
): Option.Option<AgentRecord> => {
  const versions = entries.map(versionRecord)
  return Array.isNonEmptyReadonlyArray(versions)
    ? Option.some({
      app_id,
      ...(name !== null && { name }),
      source: "workspace",
      revision,
      created_at,
      updated_at,
      versions
    })
    : Option.none()
}

/** Failure for an agent that does not exist. */
export const noAgent = (id: string) => new NotFound({ resource: "agent", id })

/** Failure for a version that does not exist. */
export const noVersion = (app_id: string, app_version: number) =>
  new NotFound({ resource: "version", id: `${app_id}/${app_version}` })

/** Makes the methods that read agents: those of the code, which hide those of a workspace with the same id. */
export const makeReader = (agents: ReadonlyMap<string, Agent>, store: typeof AgentStore.Service) => {
  const recordOf = (scope: Scope, entry: AgentEntry) =>
    Effect.map(store.versions(scope, entry.app_id), (versions) => agentRecord(entry, versions))

  const get = (scope: Scope, id: string): Effect.Effect<AgentRecord, NotFound> => {
    const agent = agents.get(id)
    return agent === undefined
      ? Effect.flatten(store.find(scope, AppId.make(id, unchecked))).pipe(
        Effect.flatMap((entry) => Effect.flatten(recordOf(scope, entry))),
        Effect.mapError(() => noAgent(id))
      )
      : Effect.succeed(codeRecord(agent))
  }

  const getVersion = (scope: Scope, { app_id, app_version }: VersionPath) =>
    Effect.flatMap(get(scope, app_id), ({ versions }) =>
      Effect.mapError(
        Array.findFirst(versions, (version) => version.app_version === app_version),
        () => noVersion(app_id, app_version)
      ))

  const list = (scope: Scope): Effect.Effect<ReadonlyArray<AgentRecord>> =>
    Effect.gen(function*() {
      const entries = (yield* store.list(scope)).filter(({ app_id }) => !agents.has(app_id))
      const records = yield* Effect.forEach(entries, (entry) => recordOf(scope, entry))
      return [...Array.map([...agents.values()], codeRecord), ...Array.getSomes(records)]
    })

  const differences = Effect.fnUntraced(function*(scope: Scope, path: VersionPath, from: number) {
    const after = yield* getVersion(scope, path)
    const before = yield* Effect.mapError(
      getVersion(scope, { ...path, app_version: from }),
      () => RuleViolation.at(["query", "base_version"], `The agent has no version ${from}`)
    )
    return differencesOf(path.app_id, before, after)
  })

  return { list, get, getVersion, differences }
}
