import type { AgentEditor } from "@trunkline/agents"
import { Engine } from "@trunkline/engine"
import { NotFound } from "@trunkline/errors"
import { AppId, type Scope, unchecked } from "@trunkline/kernel"
import { Effect } from "effect"
import { withScope, WorkspaceCaller } from "../../api/Admission.js"
import { routeHandlers } from "../../RouteHandlers.js"

interface VersionParameters {
  readonly agent_id: string
  readonly app_version: string
}

/** Finds the version that a path names; what is no number is a version that its agent does not have. */
const versionIn =
  ({ get }: typeof AgentEditor.Service) => (scope: Scope, { agent_id, app_version }: VersionParameters) =>
    /^[1-9]\d{0,8}$/.test(app_version)
      ? Effect.succeed({ app_id: agent_id, app_version: Number(app_version) })
      : Effect.zipRight(get(scope, agent_id), new NotFound({ resource: "version", id: `${agent_id}/${app_version}` }))

/** Handlers of agents. */
export const agentsHandlers = routeHandlers("agents", (handlers) =>
  Effect.map(Engine, ({ agents, talks }) => {
    const versionOf = versionIn(agents)
    return handlers
      .handle("agents.list", () => Effect.map(withScope(agents.list), (items) => ({ items })))
      .handle(
        "agents.create",
        ({ payload }) => withScope((scope, actor) => agents.create(scope, payload, actor))
      )
      .handle("agents.get", ({ path }) => withScope((scope) => agents.get(scope, path.agent_id)))
      .handle(
        "agents.update",
        ({ path, payload }) => withScope((scope, actor) => agents.update(scope, path.agent_id, payload, actor))
      )
      .handle(
        "agents.versions.list",
        ({ path }) =>
          Effect.map(withScope((scope) => agents.get(scope, path.agent_id)), ({ versions }) => ({ items: versions }))
      )
      .handle(
        "agents.versions.create",
        ({ path, payload }) => withScope((scope, actor) => agents.createVersion(scope, path.agent_id, payload, actor))
      )
      .handle(
        "agents.versions.get",
        ({ path }) => withScope((scope) => Effect.flatMap(versionOf(scope, path), (at) => agents.getVersion(scope, at)))
      )
      .handle(
        "agents.versions.update",
        ({ path, payload }) =>
          withScope((scope, actor) =>
            Effect.flatMap(versionOf(scope, path), (at) => agents.updateVersion(scope, at, payload, actor))
          )
      )
      .handle(
        "agents.versions.commit",
        ({ path, payload }) =>
          withScope((scope, actor) =>
            Effect.flatMap(versionOf(scope, path), (at) => agents.commitVersion(scope, at, payload, actor))
          )
      )
      .handle(
        "agents.versions.differences",
        ({ path, urlParams }) =>
          withScope((scope) =>
            Effect.flatMap(versionOf(scope, path), (at) => agents.differences(scope, at, urlParams.base_version))
          )
      )
      .handle("agents.talk", ({ path, payload }) =>
        Effect.flatMap(
          WorkspaceCaller,
          ({ caller, scope }) => talks.say(caller, scope, { ...payload, app_id: AppId.make(path.agent_id, unchecked) })
        ))
  }))
