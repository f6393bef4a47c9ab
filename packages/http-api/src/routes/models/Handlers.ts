import { HttpServerRequest } from "@effect/platform"
import { chatFailureFrames } from "@trunkline/chat"
import { Engine } from "@trunkline/engine"
import { NotFound } from "@trunkline/errors"
import { findModel, type ModelFacts, type ModelRoute } from "@trunkline/models"
import { mayUseModel } from "@trunkline/rate-limits"
import { responseFailureFrames } from "@trunkline/responses"
import { Effect, Option, Record } from "effect"
import { presentedKeys } from "../../admission/AdmissionChecks.js"
import { openEventStream } from "../../response/EventStream.js"
import { jsonResponse } from "../../response/JsonResponse.js"
import { mergeHandlers, routeHandlers } from "../../RouteHandlers.js"
import { admitModelCall } from "./ModelCall.js"

const chat = routeHandlers("chat", (handlers) =>
  Effect.map(Engine, (engine) => {
    const { chat } = engine
    const complete =
      (version: "v1" | "v2") => ({ request }: { readonly request: HttpServerRequest.HttpServerRequest }) => {
        const call = admitModelCall(engine, request, {
          api: "chat",
          isBeta: version === "v2",
          modelOf: (body) => chat.modelOf(version, body),
          read: (body) => chat.read(version, body)
        })
        return Effect.flatMap(call, ({ input, ticket }) =>
          input.stream
            ? openEventStream({
              frames: chat.stream(input, ticket),
              failureFrames: (cause) => chatFailureFrames(cause, ticket.requestId)
            })
            : Effect.map(chat.complete(input, ticket), (completion) => jsonResponse(JSON.stringify(completion))))
      }
    return handlers.handleRaw("chat.completions.createCore", complete("v1")).handleRaw(
      "chat.completions.create",
      complete("v2")
    )
  }))

const responses = routeHandlers("responses", (handlers) =>
  Effect.map(Engine, (engine) => {
    const { responses } = engine
    return handlers
      .handleRaw("responses.create", ({ request }) =>
        Effect.flatMap(
          admitModelCall(engine, request, {
            api: "responses",
            isBeta: true,
            modelOf: responses.modelOf,
            read: responses.read
          }),
          ({ input, ticket }) =>
            input.stream
              ? openEventStream({
                frames: responses.stream(input, ticket),
                failureFrames: (cause) => responseFailureFrames(input, cause, ticket.requestId)
              })
              : Effect.map(responses.create(input, ticket), (resource) => jsonResponse(JSON.stringify(resource)))
        ))
      .handle("responses.get", ({ path: { response_id } }) => new NotFound({ resource: "response", id: response_id }))
  }))

const listItem = (id: string, { created, ownedBy }: ModelFacts) => ({
  id,
  object: "model" as const,
  created,
  owned_by: ownedBy
})

/** Routes of each version that models can serve. */
const versions: Readonly<Record<"v1" | "v2", ReadonlyArray<ModelRoute>>> = {
  v1: ["chat_v1"],
  v2: ["chat_v2", "responses"]
}

/** Models are listed without a key, too; an invalid key is ignored. */
const models = routeHandlers("models", (handlers) =>
  Effect.map(Engine, ({ catalog, keys }) => {
    const visibleModels = (version: "v1" | "v2") =>
      Effect.gen(function*() {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const caller = yield* Effect.option(keys.authenticate(presentedKeys(headers), "main"))
        return Record.filter(catalog, ({ routes }, id) =>
          routes.some((route) => versions[version].includes(route)) && Option.match(caller, {
            onNone: () =>
              true,
            onSome: (caller) => mayUseModel(caller, id)
          }))
      })
    const list = (version: "v1" | "v2") =>
      Effect.map(visibleModels(version), (models) => ({
        object: "list" as const,
        data: Object.entries(models).map(([id, facts]) => listItem(id, facts))
      }))
    const get = (version: "v1" | "v2", id: string) =>
      Effect.flatMap(visibleModels(version), (models) => {
        const facts = findModel(models, id)
        return facts === undefined ? new NotFound({ resource: "model", id }) : Effect.succeed(listItem(id, facts))
      })
    return handlers
      .handle("models.listCore", () => list("v1"))
      .handle("models.getCore", ({ path }) => get("v1", path.model_id))
      .handle("models.list", () => list("v2"))
      .handle("models.get", ({ path }) => get("v2", path.model_id))
  }))

/** Handlers of chat completions, responses and models. */
export const modelsHandlers = mergeHandlers(chat, responses, models)
