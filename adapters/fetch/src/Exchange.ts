import { type HttpApp, HttpBody, HttpServerError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { type BodyPace, isSubscription, subscriptionCloseTimeout } from "@trunkline/http-api"
import { Context, Effect, Exit, Scope, Stream } from "effect"
import { makeRequestBody } from "./RequestBody.js"
import { makeResponseBody } from "./ResponseBody.js"

/** A request and its response, up to the last byte of the response. */
export class Exchange extends Context.Tag("@trunkline/fetch/Exchange")<Exchange, {
  readonly request: Request
  /** Address of the client; undefined where the host does not tell it. */
  readonly remoteAddress: string | undefined
  /** Aborted when the client disconnects, and when the exchange is cut. */
  readonly signal: AbortSignal
  /** Cuts the exchange. */
  readonly cut: () => void
  /** Marks the exchange as finished. */
  readonly end: () => void
}>() {}

/** Tracks the exchanges in flight. */
export interface Exchanges {
  readonly begin: (request: Request, remoteAddress?: string) => typeof Exchange.Service
  /** Completes when no exchange is in flight; cuts those that take longer than the timeout, in milliseconds. */
  readonly finish: (timeout: number) => Promise<void>
}

/** Makes a tracker of exchanges. */
export const makeExchanges = (): Exchanges => {
  const open = new Map<AbortController, Promise<void>>()

  const drain = async () => {
    while (open.size > 0) await Promise.all(open.values())
  }

  return {
    begin: (request, remoteAddress) => {
      const controller = new AbortController()
      const cut = () => controller.abort()
      request.signal.addEventListener("abort", cut, { once: true })
      let resolve = () => {}
      open.set(controller, new Promise((settle) => resolve = settle))
      const end = () => {
        request.signal.removeEventListener("abort", cut)
        open.delete(controller)
        resolve()
      }
      return { request, remoteAddress, signal: controller.signal, cut, end }
    },
    finish: async (timeout) => {
      await Effect.runPromise(Effect.timeoutOption(Effect.promise(drain), timeout))
      for (const controller of open.keys()) controller.abort()
    }
  }
}

/**
 * Runs the application within an exchange: the scope of the request stays open until the last byte of the response, and
 * a disconnect of the client interrupts the work. When `closing` completes, subscriptions end, and are cut soon after.
 */
export const withExchange = (
  app: HttpApp.Default<never, Scope.Scope>,
  { bodyPace, closing }: { readonly bodyPace: BodyPace; readonly closing: Effect.Effect<void> }
): HttpApp.Default<never, Exchange> =>
  Effect.withFiberRuntime((fiber) =>
    Effect.gen(function*() {
      const { cut, end, remoteAddress, request: source, signal } = yield* Exchange
      signal.addEventListener("abort", () => fiber.unsafeInterruptAsFork(HttpServerError.clientAbortFiberId))
      const receivedRequest = yield* HttpServerRequest.HttpServerRequest
      const clientRequest = remoteAddress === undefined ? receivedRequest : receivedRequest.modify({ remoteAddress })
      const { drain, request } = makeRequestBody(clientRequest, source, bodyPace)
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
      const scopedStream = Stream.ensuring(stream, Scope.close(scope, Exit.void))
      if (!isSubscription(request, contentType)) {
        return HttpServerResponse.setBody(response, HttpBody.raw(yield* makeResponseBody(scopedStream, signal)))
      }
      yield* Effect.forkIn(
        Effect.interruptible(Effect.zipRight(closing, Effect.delay(Effect.sync(cut), subscriptionCloseTimeout))),
        scope
      )
      const bytes = yield* makeResponseBody(Stream.interruptWhen(scopedStream, closing), signal)
      return HttpServerResponse.setBody(response, HttpBody.raw(bytes))
    })
  )
