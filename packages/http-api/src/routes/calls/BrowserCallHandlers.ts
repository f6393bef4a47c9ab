import { HttpServerResponse } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { Invalid } from "@trunkline/errors"
import { Effect, Option } from "effect"
import { SocketUpgrade } from "../../response/Subscription.js"
import { routeHandlers } from "../../RouteHandlers.js"

/** Failure of a request to an address that only takes WebSockets. */
export const onlySockets = Invalid.at(
  ["header", "upgrade"],
  "value_error",
  "This address only takes WebSockets: send a request to upgrade"
)

/** Handler of the WebSockets of calls from browsers. */
export const browserCallsHandlers = routeHandlers(
  "browserCalls",
  (handlers) =>
    Effect.map(
      Engine,
      ({ browserCalls, load }) =>
        handlers.handleRaw("browserCalls.open", ({ path, request, urlParams: { token = "" } }) =>
          Effect.gen(function*() {
            yield* load.admit("calls")
            const upgrade = yield* SocketUpgrade
            if (Option.isNone(upgrade)) {
              return yield* onlySockets
            }
            const open = Effect.map(upgrade.value, ({ frames }) => frames)
            const { origin = null } = request.headers
            yield* browserCalls.open({ ...path, token, origin }, open)
            return HttpServerResponse.empty()
          }))
    )
)
