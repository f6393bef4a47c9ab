import { type Loc, RuleViolation } from "@trunkline/errors"
import { AppId, BusinessTime, type Scope, unchecked } from "@trunkline/kernel"
import { Effect, Option } from "effect"
import type { Agent, AgentCatalog } from "../Agent.js"
import { agentLimits } from "./AgentLimits.js"
import { type makeReader, noAgent, noVersion, type VersionPath, versionRecord } from "./AgentReader.js"
import {
  AgentEntry,
  type CommitVersion,
  type CreateAgent,
  type CreateVersion,
  type PatchAgent,
  type PatchVersion,
  type VersionDefinition,
  VersionEntry
} from "./AgentRecord.js"
import type { AgentStore } from "./AgentStore.js"
import { changeDefinition, encodeDefinition } from "./Definition.js"
import type { HostOffer } from "./HostOffer.js"
import { makeVersionReview } from "./VersionReview.js"

const readOnly = (app_id: string, loc: Loc) =>
  RuleViolation.at(
    loc,
    `"${app_id}" is an agent of the server's code or configuration: change it there, or make another agent`
  )

const checkRevision = ({ revision }: { readonly revision: number }, body: { readonly revision: number }) =>
  revision === body.revision
    ? Effect.void
    : RuleViolation.at(
      ["body", "revision"],
      `Is ${revision} by now: read it again, and repeat your change`
    )

interface ChangeParts {
  /** Agents of the code, by their ids. */
  readonly agents: ReadonlyMap<string, Agent>
  readonly catalog: typeof AgentCatalog.Service
  readonly store: typeof AgentStore.Service
  readonly offer: HostOffer.Service
  readonly reader: ReturnType<typeof makeReader>
}

/** A definition as JSON. */
const textOf = (definition: VersionEntry["version"]): string => JSON.stringify(encodeDefinition(definition))

/** Makes the methods that change agents of workspaces. Each is to run in a transaction. */
export const makeChanges = ({ agents, catalog, offer, reader, store }: ChangeParts) => {
  const review = makeVersionReview({ catalog, store, offer })

  /** The agent that a request changes. */
  const findOwn = (scope: Scope, id: string) =>
    agents.has(id)
      ? readOnly(id, ["path", "agent_id"])
      : Effect.mapError(Effect.flatten(store.find(scope, AppId.make(id, unchecked))), () => noAgent(id))

  const findDraft = (scope: Scope, agent: AgentEntry, app_version: number) =>
    Effect.mapError(
      Effect.flatten(store.findVersion(scope, agent.app_id, app_version)),
      () => noVersion(agent.app_id, app_version)
    )

  /** Notes a change of an agent. */
  const touch = (scope: Scope, agent: AgentEntry, { name = agent.name, updated_by }: Partial<AgentEntry>) =>
    Effect.flatMap(BusinessTime.date, (updated_at) => {
      const changedEntry = new AgentEntry({
        ...agent,
        name,
        revision: agent.revision + 1,
        updated_at,
        updated_by: updated_by ?? agent.updated_by
      })
      return Effect.as(store.put(scope, changedEntry), changedEntry)
    })

  /** Stores a version that is checked. */
  const save = (scope: Scope, agent: AgentEntry, entry: VersionEntry) =>
    Effect.as(
      store.putVersion(scope, agent.app_id, {
        entry,
        characters: textOf(entry.version).length
      }),
      versionRecord(entry)
    )

  /** Makes a draft from a definition, after its checks. */
  const draft = (
    scope: Scope,
    agent: AgentEntry,
    { actor, app_version, base, changes, loc }: {
      readonly actor: string
      readonly app_version: number
      readonly base: VersionEntry | null
      readonly changes: VersionDefinition
      readonly loc: Loc
    }
  ) =>
    Effect.gen(function*() {
      const changedDefinition = yield* changeDefinition(base?.version ?? null, changes, { app_version, offer })
      yield* review.check(scope, agent.app_id, { ...changedDefinition, loc })
      const now = yield* BusinessTime.date
      const entry = new VersionEntry({
        version: changedDefinition.definition,
        revision: 1,
        created_at: now,
        updated_at: now,
        committed_at: null,
        updated_by: actor
      })
      return yield* save(scope, agent, entry)
    })

  const create = Effect.fn("AgentEditor.create")(function*(scope: Scope, body: CreateAgent, actor: string) {
    const { app_id, name = null, version: changes } = body
    if (agents.has(app_id)) return yield* readOnly(app_id, ["body", "app_id"])
    if (Option.isSome(yield* store.find(scope, app_id))) {
      return yield* RuleViolation.at(["body", "app_id"], `There is an agent "${app_id}" already: add a version to it`)
    }
    if ((yield* store.usage(scope)).agents >= agentLimits.agents) {
      return yield* RuleViolation.at(["body", "app_id"], `The workspace has ${agentLimits.agents} agents, its most`)
    }
    const now = yield* BusinessTime.date
    const agent = new AgentEntry({ app_id, name, revision: 1, created_at: now, updated_at: now, updated_by: actor })
    yield* store.put(scope, agent)
    const version = yield* draft(scope, agent, {
      actor,
      app_version: 1,
      base: null,
      changes,
      loc: ["body", "version"]
    })
    const { created_at, revision, updated_at } = agent
    return {
      app_id,
      ...(name !== null && { name }),
      source: "workspace" as const,
      revision,
      created_at,
      updated_at,
      versions: [version] as const
    }
  })

  const update = Effect.fn("AgentEditor.update")(
    function*(scope: Scope, id: string, body: PatchAgent, actor: string) {
      const agent = yield* findOwn(scope, id)
      yield* checkRevision(agent, body)
      const { name = agent.name } = body
      if (name !== agent.name) yield* touch(scope, agent, { name, updated_by: actor })
      return yield* reader.get(scope, id)
    }
  )

  const createVersion = Effect.fn("AgentEditor.createVersion")(
    function*(scope: Scope, id: string, { base_version, ...changes }: CreateVersion, actor: string) {
      const agent = yield* findOwn(scope, id)
      const versions = yield* store.versions(scope, agent.app_id)
      const base = versions.find(({ version }) => version.app_version === base_version) ?? null
      if (base_version !== undefined && base === null) {
        return yield* RuleViolation.at(["body", "base_version"], `The agent has no version ${base_version}`)
      }
      if (versions.length >= agentLimits.versions) {
        return yield* RuleViolation.at(["body"], `The agent has ${agentLimits.versions} versions, its most`)
      }
      const app_version = Math.max(...versions.map(({ version }) => version.app_version)) + 1
      const record = yield* draft(scope, agent, { actor, app_version, base, changes, loc: ["body"] })
      yield* touch(scope, agent, { updated_by: actor })
      return record
    }
  )

  const updateVersion = Effect.fn("AgentEditor.updateVersion")(
    function*(scope: Scope, path: VersionPath, { revision, ...changes }: PatchVersion, actor: string) {
      const agent = yield* findOwn(scope, path.app_id)
      const before = yield* findDraft(scope, agent, path.app_version)
      if (before.committed_at !== null) {
        return yield* RuleViolation.at(
          ["path", "app_version"],
          "A committed version never changes: make a draft with it as base_version"
        )
      }
      yield* checkRevision(before, { revision })
      const changedDefinition = yield* changeDefinition(before.version, changes, {
        app_version: path.app_version,
        offer
      })
      yield* review.check(scope, agent.app_id, { ...changedDefinition, loc: ["body"] })
      if (textOf(changedDefinition.definition) === textOf(before.version)) return versionRecord(before)
      yield* touch(scope, agent, { updated_by: actor })
      return yield* save(
        scope,
        agent,
        new VersionEntry({
          ...before,
          version: changedDefinition.definition,
          revision: before.revision + 1,
          updated_at: yield* BusinessTime.date,
          updated_by: actor
        })
      )
    }
  )

  const commitVersion = Effect.fn("AgentEditor.commitVersion")(
    function*(scope: Scope, path: VersionPath, body: CommitVersion, actor: string) {
      const agent = yield* findOwn(scope, path.app_id)
      const before = yield* findDraft(scope, agent, path.app_version)
      yield* checkRevision(before, body)
      if (before.committed_at !== null) return versionRecord(before)
      const definition = { ...before.version, committed: true }
      yield* review.check(scope, agent.app_id, { definition, issues: [], loc: ["body"] })
      yield* touch(scope, agent, { updated_by: actor })
      const now = yield* BusinessTime.date
      return yield* save(
        scope,
        agent,
        new VersionEntry({ ...before, version: definition, committed_at: now, updated_at: now, updated_by: actor })
      )
    }
  )

  return { create, update, createVersion, updateVersion, commitVersion }
}
