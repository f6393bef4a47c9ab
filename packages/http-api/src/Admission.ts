import { HttpApiMiddleware } from "@effect/platform"
import type { Scope } from "@trunkline/kernel"
import type { Caller } from "@trunkline/rate-limits"
import { Context, type Effect, Schema } from "effect"
import {
  BoardsForbidden,
  BoardsTooLarge,
  BoardsTooMany,
  BoardsUnauthorized,
  BoardsUnprocessable,
  BoardsWrongType
} from "./BoardsReported.js"
import {
  Forbidden,
  OutOfService,
  TooLarge,
  TooMany,
  TooManyForVoices,
  Unprocessable,
  VoicesForbidden,
  VoicesOutOfService,
  WrongType
} from "./Reported.js"

/** Who a request was let in for. */
export class Requester extends Context.Tag("@trunkline/http-api/Requester")<Requester, {
  readonly scope: Scope
  readonly caller: Caller
  /** Completes once the key opens nothing any more, at most 5 seconds after that: for answers that last. */
  readonly revoked: Effect.Effect<void>
  /** The label of the key: who created or changed something. */
  readonly actor: string
}>() {}

/** Whose key a request was sent with, on routes that belong to no workspace. */
export class Subscriber extends Context.Tag("@trunkline/http-api/Subscriber")<Subscriber, {
  readonly caller: Caller
}>() {}

/**
 * What stands before the routes that need a key and belong to no workspace: the declared size of the body, the key, and
 * whether there is time for it at all. Which limit they take from depends on the model in the body.
 */
export class KeyAdmission extends HttpApiMiddleware.Tag<KeyAdmission>()("@trunkline/http-api/KeyAdmission", {
  provides: Subscriber,
  failure: Schema.Union(Forbidden, OutOfService, TooLarge)
}) {}

/**
 * What stands before every route of a workspace. In this order (decisions 5): the declared size of the body, the
 * key, its workspace, whether there is time for it at all, the rate limit, the content type.
 */
export class Admission extends HttpApiMiddleware.Tag<Admission>()("@trunkline/http-api/Admission", {
  provides: Requester,
  failure: Schema.Union(Forbidden, OutOfService, TooLarge, TooMany, Unprocessable, WrongType)
}) {}

/**
 * What stands before the routes of voices. In this order (decisions 5): the declared size of the body, the key, whether
 * there is time for it at all, the rate limit, the content type.
 */
export class VoicesAdmission extends HttpApiMiddleware.Tag<VoicesAdmission>()("@trunkline/http-api/VoicesAdmission", {
  provides: Subscriber,
  failure: Schema.Union(TooLarge, TooManyForVoices, VoicesForbidden, VoicesOutOfService, WrongType)
}) {}

/** What stands before every route of the boards: as `Admission`, and refused as boards refuse. */
export class BoardsAdmission extends HttpApiMiddleware.Tag<BoardsAdmission>()("@trunkline/http-api/BoardsAdmission", {
  provides: Requester,
  failure: Schema.Union(
    BoardsUnauthorized,
    BoardsForbidden,
    BoardsTooLarge,
    BoardsTooMany,
    BoardsUnprocessable,
    BoardsWrongType
  )
}) {}
