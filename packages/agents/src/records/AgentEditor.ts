import type { Invalid, NotFound, RuleViolation } from "@trunkline/errors"
import { type Scope, Transactions } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import { type Agent, AgentCatalog } from "../Agent.js"
import { makeChanges } from "./AgentChanges.js"
import type { AgentDifferences } from "./AgentDifference.js"
import { makeReader, type VersionPath } from "./AgentReader.js"
import type {
  AgentRecord,
  CommitVersion,
  CreateAgent,
  CreateVersion,
  PatchAgent,
  PatchVersion,
  VersionRecord
} from "./AgentRecord.js"
import { AgentStore } from "./AgentStore.js"
import { HostOffer } from "./HostOffer.js"
import { workspaceCatalogLayer } from "./WorkspaceCatalog.js"

/** Failures of a change. */
type ChangeFailure = Invalid | RuleViolation | NotFound

/**
 * Agents of workspaces and their versions. A draft can be changed, a committed version never; each change names the revision that
 * its author has read, so that two authors lose nothing. Every version is checked whole before it is stored, and all that is wrong
 * with it is told at once. Agents of the code are listed as well, but cannot be changed. `actor` is the label of the API key used.
 */
export class AgentEditor extends Context.Tag("@trunkline/agents/AgentEditor")<AgentEditor, {
  /** Agents of the code, then those of the workspace by their ids. */
  readonly list: (scope: Scope) => Effect.Effect<ReadonlyArray<AgentRecord>>
  readonly get: (scope: Scope, app_id: string) => Effect.Effect<AgentRecord, NotFound>
  readonly getVersion: (scope: Scope, path: VersionPath) => Effect.Effect<VersionRecord, NotFound>
  /** Makes an agent with its first version, a draft. */
  readonly create: (
    scope: Scope,
    body: CreateAgent,
    actor: string
  ) => Effect.Effect<AgentRecord, Invalid | RuleViolation>
  /** Changes the name of an agent. */
  readonly update: (
    scope: Scope,
    app_id: string,
    body: PatchAgent,
    actor: string
  ) => Effect.Effect<AgentRecord, ChangeFailure>
  /** Makes a draft, whose number is the next one. */
  readonly createVersion: (
    scope: Scope,
    app_id: string,
    body: CreateVersion,
    actor: string
  ) => Effect.Effect<VersionRecord, ChangeFailure>
  /** Changes a draft. */
  readonly updateVersion: (
    scope: Scope,
    path: VersionPath,
    body: PatchVersion,
    actor: string
  ) => Effect.Effect<VersionRecord, ChangeFailure>
  /** Commits a draft, which takes calls from then on. Idempotent. */
  readonly commitVersion: (
    scope: Scope,
    path: VersionPath,
    body: CommitVersion,
    actor: string
  ) => Effect.Effect<VersionRecord, ChangeFailure>
  /** Compares a version with an earlier one, or with any other. */
  readonly differences: (
    scope: Scope,
    path: VersionPath,
    from: number
  ) => Effect.Effect<AgentDifferences, NotFound | RuleViolation>
}>() {
  /** Editor and catalog of workspaces with these agents of the code, which hide those of a workspace with the same id. */
  static readonly layerOf = (agents: ReadonlyArray<Agent>) =>
    Layer.provideMerge(
      Layer.effect(
        AgentEditor,
        Effect.gen(function*() {
          const store = yield* AgentStore
          const { run } = yield* Transactions
          const byId = new Map<string, Agent>(agents.map((agent) => [agent.app_id, agent]))
          const reader = makeReader(byId, store)
          const changes = makeChanges({
            agents: byId,
            catalog: yield* AgentCatalog,
            store,
            offer: yield* HostOffer,
            reader
          })
          return AgentEditor.of({
            ...reader,
            create: (...args) => run(changes.create(...args)),
            update: (...args) => run(changes.update(...args)),
            createVersion: (...args) => run(changes.createVersion(...args)),
            updateVersion: (...args) => run(changes.updateVersion(...args)),
            commitVersion: (...args) => run(changes.commitVersion(...args))
          })
        })
      ),
      workspaceCatalogLayer(agents)
    )
}
