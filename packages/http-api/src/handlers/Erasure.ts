import { HttpApiBuilder } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { Effect } from "effect"
import { Requester } from "../Admission.js"
import { Api } from "../Api.js"

/** Answers the route that forgets people. */
export const erasures = HttpApiBuilder.group(
  Api,
  "erasure",
  (handlers) =>
    Effect.map(
      Engine,
      ({ erasure }) =>
        handlers.handle("user", ({ payload }) =>
          Effect.flatMap(Requester, ({ scope }) =>
            erasure.user(scope, payload.user_identifier)).pipe(
              Effect.map((erased_attempts) => ({ erased_attempts }))
            ))
    )
)
