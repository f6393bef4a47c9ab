import { type HttpApp, HttpBody, HttpServerError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { isSubscription, subscriptionCloseTimeout } from "@trunkline/http-api"
import { Effect, Exit, Scope, Stream } from "effect"
import { Exchange } from "./Exchanges.js"
import { requestBody } from "./RequestBody.js"
import { responseBody } from "./ResponseBody.js"

/**
 * The application within an exchange: the scope of a request lives until the answer's last byte, and a client that goes
 * away interrupts the work. Subscriptions end when the handler is closing, and are cut soon after that.
 */
export const exchanged = (
  app: HttpApp.Default<never, Scope.Scope>,
  closing: Effect.Effect<void>
): HttpApp.Default<never, Exchange> =>
  Effect.withFiberRuntime((fiber) =>
    Effect.gen(function*() {
      const { cut, end, request: source, signal } = yield* Exchange
      signal.addEventListener("abort", () => fiber.unsafeInterruptAsFork(HttpServerError.clientAbortFiberId))
      const { drain, request } = requestBody(yield* HttpServerRequest.HttpServerRequest, source)
      const scope = yield* Scope.make()
      yield* Scope.addFinalizer(scope, Effect.zipRight(drain, Effect.sync(end)))
      const response = yield* app.pipe(
        Scope.extend(scope),
        Effect.provideService(HttpServerRequest.HttpServerRequest, request),
        Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
      )
      if (response.body._tag !== "Stream" || request.method === "HEAD") {
        yield* Scope.close(scope, Exit.void)
        return response
      }
      const { contentType, stream } = response.body
      const whole = Stream.ensuring(stream, Scope.close(scope, Exit.void))
      if (!isSubscription(request, contentType)) {
        return HttpServerResponse.setBody(response, HttpBody.raw(yield* responseBody(whole, signal)))
      }
      yield* Effect.forkIn(
        Effect.interruptible(Effect.zipRight(closing, Effect.delay(Effect.sync(cut), subscriptionCloseTimeout))),
        scope
      )
      const bytes = yield* responseBody(Stream.interruptWhen(whole, closing), signal)
      return HttpServerResponse.setBody(response, HttpBody.raw(bytes))
    })
  )
