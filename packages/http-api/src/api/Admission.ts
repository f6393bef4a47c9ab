import { HttpApiMiddleware } from "@effect/platform"
import type { Scope } from "@trunkline/kernel"
import type { Principal } from "@trunkline/rate-limits"
import { Context, Effect, Schema } from "effect"
import {
  BoardsError401,
  BoardsError403,
  BoardsError413,
  BoardsError415,
  BoardsError422,
  BoardsError429
} from "../errors/BoardsErrorSchemas.js"
import {
  Error403,
  Error413,
  Error415,
  Error422,
  Error429,
  Error503,
  VoicesError403,
  VoicesError429,
  VoicesError503
} from "../errors/ErrorSchemas.js"

/** The authenticated caller of a workspace route, and the workspace. */
export class WorkspaceCaller extends Context.Tag("@trunkline/http-api/WorkspaceCaller")<WorkspaceCaller, {
  readonly scope: Scope
  readonly caller: Principal
  /** Completes within 5 seconds after the key loses its access; long-lived responses end then. */
  readonly revoked: Effect.Effect<void>
  /** Label of the key, recorded as the author of changes. */
  readonly actor: string
}>() {}

/** Runs an effect with the workspace of the request and the label of its key. */
export const withScope = <A, E, R>(use: (scope: Scope, actor: string) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(WorkspaceCaller, ({ actor, scope }) => use(scope, actor))

/** The authenticated caller of a route outside of any workspace. */
export class AuthenticatedCaller extends Context.Tag("@trunkline/http-api/AuthenticatedCaller")<AuthenticatedCaller, {
  readonly caller: Principal
}>() {}

/**
 * Admits requests to chat and responses. Checks, in this order: the declared size of the body, the key, and the load of
 * the server. The rate limit depends on the model in the body, so the handlers check it.
 */
export class KeyAdmission extends HttpApiMiddleware.Tag<KeyAdmission>()("@trunkline/http-api/KeyAdmission", {
  provides: AuthenticatedCaller,
  failure: Schema.Union(Error403, Error503, Error413)
}) {}

/**
 * Admits requests to a workspace. Checks, in this order: the declared size of the body, the key, its access to the
 * workspace, the load of the server, the rate limit, and the content type.
 */
export class WorkspaceAdmission
  extends HttpApiMiddleware.Tag<WorkspaceAdmission>()("@trunkline/http-api/WorkspaceAdmission", {
    provides: WorkspaceCaller,
    failure: Schema.Union(Error403, Error503, Error413, Error429, Error422, Error415)
  })
{}

/**
 * Admits requests to voices. Checks, in this order: the declared size of the body, the key, the load of the server, the
 * rate limit, and the content type.
 */
export class VoicesAdmission extends HttpApiMiddleware.Tag<VoicesAdmission>()("@trunkline/http-api/VoicesAdmission", {
  provides: AuthenticatedCaller,
  failure: Schema.Union(Error413, VoicesError429, VoicesError403, VoicesError503, Error415)
}) {}

/** Admits requests to boards: the checks of `WorkspaceAdmission`, whose failures use the envelope of boards. */
export class BoardsAdmission extends HttpApiMiddleware.Tag<BoardsAdmission>()("@trunkline/http-api/BoardsAdmission", {
  provides: WorkspaceCaller,
  failure: Schema.Union(
    BoardsError401,
    BoardsError403,
    BoardsError413,
    BoardsError429,
    BoardsError422,
    BoardsError415
  )
}) {}
