import { HttpApiBuilder } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { NotFound } from "@trunkline/errors"
import { normalisePhone, page } from "@trunkline/kernel"
import { Effect } from "effect"
import { Requester } from "../Admission.js"
import { Api } from "../Api.js"

/** A number as a path names it; what is none is blocked by nobody. */
const numberIn = (text: string) =>
  Effect.mapError(normalisePhone(text), () => new NotFound({ resource: "blocked number", id: "unreadable" }))

/** Answers the routes of numbers that are never called. */
export const blockedNumbers = HttpApiBuilder.group(
  Api,
  "blockedNumbers",
  (handlers) =>
    Effect.map(Engine, ({ blockedNumbers }) =>
      handlers
        .handle("list", ({ request, urlParams }) =>
          Effect.flatMap(Requester, ({ scope }) => blockedNumbers.list(scope, urlParams)).pipe(
            Effect.map(({ items, total }) => page(items, total, urlParams, request.originalUrl))
          ))
        .handle("add", ({ payload }) =>
          Effect.flatMap(Requester, ({ actor, scope }) =>
            blockedNumbers.add(scope, payload, actor)).pipe(
              Effect.map((items) => ({ items }))
            ))
        .handle("remove", ({ path }) =>
          Effect.gen(function*() {
            const { scope } = yield* Requester
            const phone_number = yield* numberIn(path.number)
            yield* blockedNumbers.remove(scope, phone_number)
            return { phone_number, deleted: true } as const
          })))
)
