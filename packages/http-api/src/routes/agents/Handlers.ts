import { Engine } from "@trunkline/engine"
import { NotFound } from "@trunkline/errors"
import { Array, Effect, Option } from "effect"
import { withScope } from "../../api/Admission.js"
import { routeHandlers } from "../../RouteHandlers.js"

/** Handlers of agents. */
export const agentsHandlers = routeHandlers("agents", (handlers) =>
  Effect.map(Engine, ({ agents }) =>
    handlers
      .handle("agents.list", () => Effect.map(withScope(agents.list), (items) => ({ items })))
      .handle("agents.get", ({ path }) =>
        withScope((scope) =>
          Effect.flatMap(agents.list(scope), (all) =>
            Option.match(Array.findFirst(all, ({ app_id }) => app_id === path.agent_id), {
              onNone: () =>
                Effect.fail(new NotFound({ resource: "agent", id: path.agent_id })),
              onSome: Effect.succeed
            }))
        ))))
