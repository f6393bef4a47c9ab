import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { NotFound } from "@trunkline/errors"
import { responseFailureFrames } from "@trunkline/responses"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { openEventStream } from "../EventStream.js"
import { admitCall } from "./ModelCall.js"

/** Answers the responses routes. */
export const responses = HttpApiBuilder.group(Api, "responses", (handlers) =>
  Effect.map(Engine, (engine) => {
    const { responses } = engine
    return handlers
      .handleRaw("create", ({ request }) =>
        Effect.gen(function*() {
          const { asked, ticket } = yield* admitCall(engine, request, {
            api: "responses",
            isBeta: true,
            modelOf: responses.modelOf,
            read: responses.read
          })
          return asked.stream
            ? yield* openEventStream({
              frames: responses.stream(asked, ticket),
              late: (cause) => responseFailureFrames(asked, cause, ticket.requestId)
            })
            : HttpServerResponse.unsafeJson(yield* responses.create(asked, ticket))
        }))
      .handle("get", ({ path: { response_id } }) => new NotFound({ resource: "response", id: response_id }))
  }))
