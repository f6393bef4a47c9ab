import { HttpApiBuilder } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { Effect } from "effect"
import { Requester } from "../Admission.js"
import { Api } from "../Api.js"

/** Answers the outbound call route. */
export const outbounds = HttpApiBuilder.group(
  Api,
  "outbounds",
  (handlers) =>
    Effect.map(
      Engine,
      ({ outbounds }) =>
        handlers.handle("start", ({ payload }) =>
          Effect.flatMap(Requester, ({ scope }) =>
            outbounds.start(scope, payload)).pipe(
              Effect.map((attempt_id) => ({ attempt_id }))
            ))
    )
)
