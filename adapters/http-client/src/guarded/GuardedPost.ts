import { noteSpan, traceHeaders, withSpan } from "@trunkline/kernel"
import { type HttpSender, SendFailed } from "@trunkline/webhooks"
import { type Context, Duration, Effect, Either } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import type { Dispatcher } from "undici/index.js"
import { failureReason } from "./Download.js"

type Post = Context.Tag.Service<typeof HttpSender>["post"]
type Request = Parameters<Post>[0]
type Response = Effect.Effect.Success<ReturnType<Post>>

const maxResponseBytes = 64 * 1024

const flatHeaders = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> => {
  const flat: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    flat[name] = Array.isArray(value) ? value.join(", ") : value ?? ""
  }
  return flat
}

/** Outcome of an exchange: a response, or the reason why there is none. */
type Outcome = Either.Either<Response, string>

/**
 * Receives the response to one request of undici, and reports the outcome once. A response whose headers have arrived
 * counts even if its body breaks off or exceeds the limit.
 */
class Exchange implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | null = null
  #response: Response | null = null
  #received = 0
  #isOver = false
  readonly #report: (outcome: Outcome) => void

  constructor(report: (outcome: Outcome) => void) {
    this.#report = report
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) this.#abort()
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#response = { status, headers: flatHeaders(headers) }
    if (Number(headers["content-length"]) > maxResponseBytes) this.#stop(this.#response)
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#received += chunk.byteLength
    if (this.#received > maxResponseBytes && this.#response !== null) this.#stop(this.#response)
  }

  onResponseEnd(): void {
    if (this.#response !== null) this.#end(Either.right(this.#response))
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(error)
  }

  /** Ends with the reason for an error, unless the headers of a response have arrived. */
  fail(error: unknown): void {
    this.#end(this.#response === null ? Either.left(failureReason(error)) : Either.right(this.#response))
  }

  /** Ends without a complete response, and closes the connection. */
  giveUp(reason: string): void {
    this.#end(Either.left(reason))
    this.#abort()
  }

  #stop(response: Response): void {
    this.#end(Either.right(response))
    this.#abort()
  }

  #abort(): void {
    this.#controller?.abort(new Error("The exchange is over"))
  }

  #end(outcome: Outcome): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#report(outcome)
  }
}

/**
 * Makes `post` of the guarded client. It uses a timer of the platform and one handler for each request: with thousands of
 * requests a second, promises, streams and timeout fibers would cost too much.
 */
export const makeGuardedPost = ({ agent, check }: {
  readonly agent: Dispatcher
  /** Parses a URL, or rejects it with a reason. */
  readonly check: (url: string) => Either.Either<URL, string>
}): Post => {
  const send = ({ origin, pathname, search }: URL, { body, headers, timeout }: Request, spanHeaders: object) =>
    Effect.async<Response, SendFailed>((resume) => {
      const exchange = new Exchange((outcome) => {
        clearTimeout(timer)
        resume(Either.mapLeft(outcome, (reason) => new SendFailed({ reason })))
      })
      const timer = setTimeout(() => exchange.giveUp("the response timed out"), Duration.toMillis(timeout))
      const path = `${pathname}${search}`
      try {
        agent.dispatch({ origin, path, method: "POST", headers: { ...headers, ...spanHeaders }, body }, exchange)
      } catch (error) {
        exchange.fail(error)
      }
      return Effect.sync(() => exchange.giveUp("the request was interrupted"))
    })

  return (request) =>
    Effect.withFiberRuntime<Response, SendFailed>((fiber) => {
      const target = check(request.url)
      if (Either.isLeft(target)) return new SendFailed({ reason: target.left })
      return Effect.tap(send(target.right, request, traceHeaders(fiber)), ({ status }) =>
        noteSpan(() => ({
          "http.response.status_code": status,
          ...(status >= 400 && { "error.type": String(status) })
        })))
    }).pipe(withSpan("POST", () => ({ kind: "client", attributes: { "http.request.method": "POST" } })))
}
