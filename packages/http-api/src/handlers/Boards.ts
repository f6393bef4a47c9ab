import { HttpApiBuilder } from "@effect/platform"
import type { Actor } from "@trunkline/boards"
import { Engine } from "@trunkline/engine"
import type { Scope } from "@trunkline/kernel"
import { Effect } from "effect"
import { Requester } from "../Admission.js"
import { Api } from "../Api.js"

/** Answers the routes of boards, tabs, widgets and filters. */
export const boards = HttpApiBuilder.group(
  Api,
  "boards",
  (handlers) =>
    Effect.map(Engine, ({ boards }) => {
      /** The workspace that the request is let into, and the key that it came with. */
      const as = <A, E>(use: (scope: Scope, actor: Actor) => Effect.Effect<A, E>) =>
        Effect.flatMap(Requester, ({ caller, scope }) => use(scope, { type: "api_key", id: caller.key_id }))

      return handlers
        .handle("list", ({ urlParams }) =>
          as((scope) => boards.list(scope, urlParams)).pipe(
            Effect.map(({ items, total }) => ({ items, total, limit: urlParams.limit, offset: urlParams.offset }))
          ))
        .handle("create", ({ payload }) => as((scope, actor) => boards.create(scope, payload, actor)))
        .handle("get", ({ path }) => as((scope) => boards.get(scope, path.board_id)))
        .handle(
          "patch",
          ({ path, payload }) => as((scope, actor) => boards.patch(scope, path.board_id, payload, actor))
        )
        .handle(
          "remove",
          ({ path }) => Effect.as(as((scope) => boards.remove(scope, path.board_id)), deleted(path.board_id))
        )
        .handle(
          "createTab",
          ({ path, payload }) => as((scope, actor) => boards.createTab(scope, path.board_id, payload, actor))
        )
        .handle(
          "patchTab",
          ({ path, payload }) =>
            as((scope, actor) => boards.patchTab(scope, path.board_id, path.tab_id, payload, actor))
        )
        .handle("removeTab", ({ path }) =>
          Effect.as(
            as((scope, actor) => boards.removeTab(scope, path.board_id, path.tab_id, actor)),
            deleted(path.tab_id)
          ))
        .handle(
          "createWidget",
          ({ path, payload }) => as((scope, actor) => boards.createWidget(scope, path.board_id, payload, actor))
        )
        .handle(
          "patchWidget",
          ({ path, payload }) =>
            as((scope, actor) => boards.patchWidget(scope, path.board_id, path.widget_id, payload, actor))
        )
        .handle("removeWidget", ({ path }) =>
          Effect.as(
            as((scope, actor) => boards.removeWidget(scope, path.board_id, path.widget_id, actor)),
            deleted(path.widget_id)
          ))
        .handle(
          "listFilters",
          ({ path }) => Effect.map(as((scope) => boards.filters(scope, path.board_id)), (filters) => ({ filters }))
        )
        .handle(
          "patchFilter",
          ({ path, payload }) =>
            as((scope, actor) => boards.patchFilter(scope, path.board_id, path.filter_id, payload, actor))
        )
    })
)

const deleted = (id: string) => ({ id, deleted: true } as const)
