import { HttpApiMiddleware } from "@effect/platform"
import type { Scope } from "@trunkline/kernel"
import type { Caller } from "@trunkline/rate-limits"
import { Context, type Effect, Schema } from "effect"
import { Forbidden, OutOfService, TooLarge, TooMany, Unprocessable, WrongType } from "./Reported.js"

/** Who a request was let in for. */
export class Requester extends Context.Tag("@trunkline/http-api/Requester")<Requester, {
  readonly scope: Scope
  readonly caller: Caller
  /** Completes once the key opens nothing any more, at most 5 seconds after that: for answers that last. */
  readonly revoked: Effect.Effect<void>
  /** The label of the key: who created or changed something. */
  readonly actor: string
}>() {}

/**
 * What stands before every route that needs a key. In this order (decisions 5): the declared size of the body, the
 * key, its workspace, whether there is time for it at all, the rate limit, the content type.
 */
export class Admission extends HttpApiMiddleware.Tag<Admission>()("@trunkline/http-api/Admission", {
  provides: Requester,
  failure: Schema.Union(Forbidden, OutOfService, TooLarge, TooMany, Unprocessable, WrongType)
}) {}
