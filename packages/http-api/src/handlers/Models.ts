import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { NotFound } from "@trunkline/errors"
import { factsOf, type ModelFacts } from "@trunkline/models"
import { mayUseModel } from "@trunkline/rate-limits"
import { Effect, Option, Record } from "effect"
import { Api } from "../Api.js"
import { presentedBy } from "./Admission.js"

const listed = (id: string, { created, ownedBy }: ModelFacts) => ({
  id,
  object: "model" as const,
  created,
  owned_by: ownedBy
})

const isServed = ({ routes }: ModelFacts): boolean => routes.includes("chat_v2") || routes.includes("responses")

/** Answers the routes of models. They need no key, and one that opens nothing changes nothing. */
export const models = HttpApiBuilder.group(Api, "models", (handlers) =>
  Effect.map(Engine, ({ catalog, keys }) => {
    const visible = Effect.gen(function*() {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const caller = yield* Effect.option(keys.authenticate(presentedBy(headers), "main"))
      return Record.filter(catalog, (facts, id) =>
        isServed(facts) && Option.match(caller, {
          onNone: () => true,
          onSome: (caller) => mayUseModel(caller, id)
        }))
    })
    return handlers
      .handle("list", () =>
        Effect.map(visible, (models) => ({
          object: "list" as const,
          data: Object.entries(models).map(([id, facts]) => listed(id, facts))
        })))
      .handle("get", ({ path: { model_id } }) =>
        Effect.flatMap(visible, (models) => {
          const facts = factsOf(models, model_id)
          return facts === undefined
            ? new NotFound({ resource: "model", id: model_id })
            : Effect.succeed(listed(model_id, facts))
        }))
  }))
