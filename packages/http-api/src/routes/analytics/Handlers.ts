import { Engine } from "@trunkline/engine"
import { makePage } from "@trunkline/kernel"
import { Effect } from "effect"
import { withScope } from "../../api/Admission.js"
import { rangeResponse } from "../../response/RangeResponse.js"
import { mergeHandlers, routeHandlers } from "../../RouteHandlers.js"

const analytics = routeHandlers("analytics", (handlers) =>
  Effect.map(Engine, ({ analytics }) =>
    handlers
      .handle("analytics.attempts", ({ path, request, urlParams }) =>
        Effect.map(
          withScope((scope) => analytics.attempts(scope, path.app_id, urlParams)),
          ({ items, total }) => makePage(items, total, urlParams, request.originalUrl)
        ))
      .handle("analytics.interactions", ({ path, request, urlParams }) =>
        Effect.map(
          withScope((scope) => analytics.interactions(scope, path.app_id, urlParams)),
          ({ items, total }) => makePage(items, total, urlParams, request.originalUrl)
        ))
      .handle(
        "analytics.transcript",
        ({ path }) => withScope((scope) => analytics.transcript(scope, path.app_id, path.interaction_id))
      )
      .handle("analytics.recording", ({ path, request }) =>
        Effect.map(
          withScope((scope) => analytics.recording(scope, path.app_id, path.interaction_id)),
          (recording) => rangeResponse(recording, "audio/wav", request.headers)
        ))))

const attempts = routeHandlers(
  "attempts",
  (handlers) =>
    Effect.map(
      Engine,
      ({ analytics, hangUps }) =>
        handlers
          .handle("attempts.get", ({ path }) => withScope((scope) => analytics.attempt(scope, path.attempt_id)))
          .handle("attempts.hangUp", ({ path }) => withScope((scope) => hangUps.hangUp(scope, path.attempt_id)))
    )
)

const erasure = routeHandlers(
  "erasure",
  (handlers) =>
    Effect.map(
      Engine,
      ({ erasure, personErasure }) =>
        handlers.handle("erasures.create", ({ payload }) =>
          "phone_number" in payload
            ? Effect.map(
              withScope((scope) => personErasure.person(scope, payload.phone_number)),
              (receipt) => ({ erased_attempts: receipt.erased.calls, receipt })
            )
            : Effect.map(
              withScope((scope) => erasure.user(scope, payload.user_identifier)),
              (erased_attempts) => ({ erased_attempts })
            ))
    )
)

/** Handlers of call analytics, single attempts and erasure. */
export const analyticsHandlers = mergeHandlers(analytics, attempts, erasure)
