import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { chatFailureFrames } from "@trunkline/chat"
import { Engine } from "@trunkline/engine"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { openEventStream } from "../EventStream.js"
import { admitCall } from "./ModelCall.js"

/** Answers the chat routes. */
export const chat = HttpApiBuilder.group(Api, "chat", (handlers) =>
  Effect.map(Engine, (engine) => {
    const { chat } = engine
    const answer = (version: "v1" | "v2") =>
      Effect.fnUntraced(function*({ request }: { readonly request: Parameters<typeof admitCall>[1] }) {
        const { asked, ticket } = yield* admitCall(engine, request, {
          api: "chat",
          isBeta: version === "v2",
          modelOf: (body) => chat.modelOf(version, body),
          read: (body) => chat.read(version, body)
        })
        return asked.stream
          ? yield* openEventStream({
            frames: chat.stream(asked, ticket),
            late: (cause) => chatFailureFrames(cause, ticket.requestId)
          })
          : HttpServerResponse.unsafeJson(yield* chat.complete(asked, ticket))
      })
    return handlers.handleRaw("v1", answer("v1")).handleRaw("v2", answer("v2"))
  }))
