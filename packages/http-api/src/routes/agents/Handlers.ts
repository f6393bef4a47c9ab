import { Engine } from "@trunkline/engine"
import { NotFound } from "@trunkline/errors"
import { AppId, unchecked } from "@trunkline/kernel"
import { Array, Effect, Option } from "effect"
import { withScope, WorkspaceCaller } from "../../api/Admission.js"
import { routeHandlers } from "../../RouteHandlers.js"

/** Handlers of agents. */
export const agentsHandlers = routeHandlers("agents", (handlers) =>
  Effect.map(Engine, ({ agents, talks }) =>
    handlers
      .handle("agents.list", () => Effect.map(withScope(agents.list), (items) => ({ items })))
      .handle("agents.get", ({ path }) =>
        withScope((scope) =>
          Effect.flatMap(agents.list(scope), (records) =>
            Option.match(Array.findFirst(records, ({ app_id }) => app_id === path.agent_id), {
              onNone: () =>
                Effect.fail(new NotFound({ resource: "agent", id: path.agent_id })),
              onSome: Effect.succeed
            }))
        ))
      .handle("agents.talk", ({ path, payload }) =>
        Effect.flatMap(
          WorkspaceCaller,
          ({ caller, scope }) =>
            talks.say(caller, scope, { ...payload, app_id: AppId.make(path.agent_id, unchecked) })
        ))))
