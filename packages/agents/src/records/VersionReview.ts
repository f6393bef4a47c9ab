import { type Issue, type Loc, maxIssues, RuleViolation } from "@trunkline/errors"
import { AppId, type Scope, unchecked } from "@trunkline/kernel"
import { Array, Effect, Option } from "effect"
import { type AgentCatalog, versionOf } from "../Agent.js"
import { type versionFields, versionIssues } from "../AgentVersion.js"
import { versionHandOverIssues } from "../HandOvers.js"
import { agentLimits } from "./AgentLimits.js"
import type { AgentStore } from "./AgentStore.js"
import { encodeDefinition } from "./Definition.js"
import type { HostOffer } from "./HostOffer.js"
import { type VersionIssue, workspaceVersionIssues } from "./VersionChecks.js"

type Definition = typeof versionFields.Type

/** A definition to check, with what is known to be wrong with it, and its place in a request. */
export interface ReviewedDefinition {
  readonly definition: Definition
  readonly issues: ReadonlyArray<VersionIssue>
  readonly loc: Loc
}

interface ReviewParts {
  readonly catalog: typeof AgentCatalog.Service
  readonly store: typeof AgentStore.Service
  readonly offer: HostOffer.Service
}

/** Makes the check of a version before it is stored: all that is wrong with it, with the places, in one failure. */
export const makeVersionReview = ({ catalog, offer, store }: ReviewParts) => {
  /** Mistakes of hand-overs. Only a draft may hand over to a draft. */
  const handOverFaults = Effect.fnUntraced(function*(scope: Scope, app_id: string, definition: Definition) {
    const { committed, hand_overs = [] } = definition
    if (hand_overs.length > agentLimits.handOvers) {
      return [{ path: ["hand_overs"], message: `An agent has at most ${agentLimits.handOvers} hand-overs` }]
    }
    const targets = Array.getSomes(
      yield* Effect.forEach(hand_overs, (each) => catalog.find(scope, each.app_id))
    )
    const drafts = hand_overs.flatMap((each, number): ReadonlyArray<VersionIssue> => {
      const agent = targets.find((agent) => agent.app_id === each.app_id)
      const isDraft = each.app_version !== undefined && agent !== undefined &&
        Option.exists(versionOf(agent, each.app_version), (version) => !version.committed)
      return committed && isDraft
        ? [{
          path: ["hand_overs", number, "app_version"],
          message: `Version ${each.app_version} of the agent ${each.app_id} is a draft: commit it first`
        }]
        : []
    })
    return [...versionHandOverIssues(targets, app_id, definition), ...drafts]
  })

  /** Mistakes of the size of a version, and of all of the workspace. */
  const sizeFaults = Effect.fnUntraced(function*(scope: Scope, app_id: string, definition: Definition) {
    const characters = JSON.stringify(encodeDefinition(definition)).length
    if (characters > agentLimits.versionCharacters) {
      return [{
        path: [],
        message: `The version has ${characters} characters as JSON, more than ${agentLimits.versionCharacters}`
      }]
    }
    const before = yield* store.findVersion(scope, AppId.make(app_id, unchecked), definition.app_version)
    const oldSize = Option.match(before, {
      onNone: () => 0,
      onSome: ({ version }) => JSON.stringify(encodeDefinition(version)).length
    })
    const usage = yield* store.usage(scope)
    return usage.characters - oldSize + characters <= agentLimits.workspaceCharacters ? [] : [{
      path: [],
      message:
        `The versions of the workspace would have more than ${agentLimits.workspaceCharacters} characters as JSON`
    }]
  })

  const check = Effect.fnUntraced(function*(scope: Scope, app_id: string, candidate: ReviewedDefinition) {
    const { definition, issues, loc } = candidate
    const faults = [
      ...issues,
      ...versionIssues(definition),
      ...workspaceVersionIssues(definition, offer, scope),
      ...yield* handOverFaults(scope, app_id, definition),
      ...yield* sizeFaults(scope, app_id, definition)
    ]
    const [first, ...others] = faults.slice(0, maxIssues).map(({ message, path }): Issue => ({
      loc: [...loc, ...path],
      msg: message,
      type: "rule_violation"
    }))
    if (first !== undefined) return yield* new RuleViolation({ issues: [first, ...others] })
  })

  return { check }
}
