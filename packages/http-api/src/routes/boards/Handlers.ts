import type { Actor } from "@trunkline/boards"
import { Engine } from "@trunkline/engine"
import type { Scope } from "@trunkline/kernel"
import { Effect } from "effect"
import { WorkspaceCaller } from "../../api/Admission.js"
import { routeHandlers } from "../../RouteHandlers.js"

const deletionOf = (id: string) => ({ id, deleted: true } as const)

/** Runs an effect with the workspace of the request, and its key as the author of changes. */
const withActor = <A, E>(use: (scope: Scope, actor: Actor) => Effect.Effect<A, E>) =>
  Effect.flatMap(WorkspaceCaller, ({ caller, scope }) => use(scope, { type: "api_key", id: caller.key_id }))

/** Handlers of boards, tabs, widgets and filters. */
export const boardsHandlers = routeHandlers("boards", (handlers) =>
  Effect.map(Engine, ({ boards }) =>
    handlers
      .handle("boards.list", ({ urlParams }) =>
        Effect.map(
          withActor((scope) => boards.list(scope, urlParams)),
          ({ items, total }) => ({ items, total, limit: urlParams.limit, offset: urlParams.offset })
        ))
      .handle("boards.create", ({ payload }) => withActor((scope, actor) => boards.create(scope, payload, actor)))
      .handle("boards.get", ({ path }) => withActor((scope) => boards.get(scope, path.board_id)))
      .handle(
        "boards.update",
        ({ path, payload }) => withActor((scope, actor) => boards.patch(scope, path.board_id, payload, actor))
      )
      .handle(
        "boards.remove",
        ({ path }) => Effect.as(withActor((scope) => boards.remove(scope, path.board_id)), deletionOf(path.board_id))
      )
      .handle(
        "boards.tabs.create",
        ({ path, payload }) => withActor((scope, actor) => boards.createTab(scope, path.board_id, payload, actor))
      )
      .handle(
        "boards.tabs.update",
        ({ path, payload }) =>
          withActor((scope, actor) => boards.patchTab(scope, path.board_id, path.tab_id, payload, actor))
      )
      .handle("boards.tabs.remove", ({ path }) =>
        Effect.as(
          withActor((scope, actor) => boards.removeTab(scope, path.board_id, path.tab_id, actor)),
          deletionOf(path.tab_id)
        ))
      .handle(
        "boards.widgets.create",
        ({ path, payload }) => withActor((scope, actor) => boards.createWidget(scope, path.board_id, payload, actor))
      )
      .handle(
        "boards.widgets.update",
        ({ path, payload }) =>
          withActor((scope, actor) => boards.patchWidget(scope, path.board_id, path.widget_id, payload, actor))
      )
      .handle("boards.widgets.remove", ({ path }) =>
        Effect.as(
          withActor((scope, actor) => boards.removeWidget(scope, path.board_id, path.widget_id, actor)),
          deletionOf(path.widget_id)
        ))
      .handle(
        "boards.filters.list",
        ({ path }) => Effect.map(withActor((scope) => boards.filters(scope, path.board_id)), (filters) => ({ filters }))
      )
      .handle(
        "boards.filters.update",
        ({ path, payload }) =>
          withActor((scope, actor) => boards.patchFilter(scope, path.board_id, path.filter_id, payload, actor))
      )))
