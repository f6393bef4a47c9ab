import { Engine } from "@trunkline/engine"
import { NotFound } from "@trunkline/errors"
import { makePage, normalizePhone } from "@trunkline/kernel"
import { Effect } from "effect"
import { withScope } from "../../api/Admission.js"
import { mergeHandlers, routeHandlers } from "../../RouteHandlers.js"
import { browserCallsHandlers } from "./BrowserCallHandlers.js"
import { carrierEventsHandlers } from "./CarrierEventHandlers.js"
import { liveCallsHandlers } from "./LiveHandlers.js"

const outbounds = routeHandlers(
  "outbounds",
  (handlers) =>
    Effect.map(Engine, ({ outbounds }) =>
      handlers.handle("outbounds.start", ({ payload }) =>
        Effect.map(
          withScope((scope) => outbounds.start(scope, payload)),
          (attempt_id) => ({ attempt_id })
        )))
)

/** Parses a phone number in a path. An invalid number cannot be blocked, so it is not found. */
const parseNumber = (text: string) =>
  Effect.mapError(normalizePhone(text), () => new NotFound({ resource: "blocked number", id: "unreadable" }))

const blockedNumbers = routeHandlers("blockedNumbers", (handlers) =>
  Effect.map(Engine, ({ blockedNumbers }) =>
    handlers
      .handle("blockedNumbers.list", ({ request, urlParams }) =>
        Effect.map(
          withScope((scope) => blockedNumbers.list(scope, urlParams)),
          ({ items, total }) => makePage(items, total, urlParams, request.originalUrl)
        ))
      .handle("blockedNumbers.add", ({ payload }) =>
        Effect.map(
          withScope((scope, actor) => blockedNumbers.add(scope, payload, actor)),
          (items) => ({ items })
        ))
      .handle("blockedNumbers.remove", ({ path }) =>
        withScope((scope) =>
          Effect.gen(function*() {
            const phone_number = yield* parseNumber(path.number)
            yield* blockedNumbers.remove(scope, phone_number)
            return { phone_number, deleted: true } as const
          })
        ))))

const lines = routeHandlers(
  "lines",
  (handlers) =>
    Effect.map(
      Engine,
      ({ lines }) => handlers.handle("lines.list", () => Effect.map(withScope(lines.list), (items) => ({ items })))
    )
)

/** Handlers of outbound calls, calls from browsers, live events, blocked numbers, lines and events of telephony providers. */
export const callsHandlers = mergeHandlers(
  outbounds,
  liveCallsHandlers,
  browserCallsHandlers,
  blockedNumbers,
  lines,
  carrierEventsHandlers
)
