import { type HttpSender, SendFailed } from "@trunkline/webhooks"
import { Context, Duration, Effect, Either, Layer, type Stream } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import { Agent, request } from "undici/index.js"
import { isPublicAddress } from "./AddressRules.js"
import { download, type DownloadFailed, type DownloadRequest } from "./Download.js"
import { failureReason } from "./FailureReason.js"
import { guardedConnector, type HostLookup, lookupHost } from "./GuardedConnector.js"
import { guardedUrl } from "./GuardedUrl.js"
import { checkRuntime } from "./RuntimeCheck.js"

const connectTimeout = Duration.seconds(5)
const answerLimitBytes = 64 * 1024

/** What the guard lets through; every option defaults to the strict side. */
export interface GuardOptions {
  /** Admits `http:` beside `https:`. */
  readonly allowInsecureUrls?: boolean
  /** Admits private, loopback and other addresses that are not public, and every port. */
  readonly allowPrivateUrls?: boolean
  /** Ports below 1024 that are admitted beside the scheme's own (443, or 80 for `http:`); default: none. */
  readonly allowedPorts?: ReadonlyArray<number>
  /**
   * Narrows the hosts down, say to one service's: gets the host in lower case as the URL standard writes it, names
   * in ASCII, a trailing dot kept, IPv6 in brackets. Default: every host.
   */
  readonly allow?: (host: string) => boolean
  /** Resolves host names; default: the operating system's resolver. */
  readonly lookup?: HostLookup
}

/**
 * An HTTP client for URLs that callers choose: it reaches the public internet and nothing else.
 *
 * A host with any address that is not public is refused, the connection goes to the very addresses that were
 * checked, at most 5 s are spent connecting, and no proxy is used. Failures never tell URL, header or body.
 */
export class GuardedHttp extends Context.Tag("@trunkline/http-guarded/GuardedHttp")<GuardedHttp, {
  /** POSTs bytes; redirects are answers, and at most 64 kB of the answer's body are read, then it is cut. */
  readonly post: Context.Tag.Service<typeof HttpSender>["post"]
  /** GETs a body as it arrives, under caps on size, time and redirects; each redirect is checked anew. */
  readonly get: (request: DownloadRequest) => Stream.Stream<Uint8Array, DownloadFailed>
}>() {
  /** The client over its own connections, which close with the layer. Dies on a runtime where the guard would not hold. */
  static readonly layer = (options: GuardOptions = {}): Layer.Layer<GuardedHttp> =>
    Layer.scoped(
      GuardedHttp,
      Effect.gen(function*() {
        yield* checkRuntime
        const {
          allow = () => true,
          allowInsecureUrls = false,
          allowPrivateUrls = false,
          allowedPorts = [],
          lookup = lookupHost
        } = options
        const connect = guardedConnector({
          lookup,
          isAllowed: (ip) => allowPrivateUrls || isPublicAddress(ip),
          connectTimeoutMillis: Duration.toMillis(connectTimeout)
        })
        const agent = yield* Effect.acquireRelease(
          Effect.sync(() => new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 })),
          (agent) => Effect.promise(() => agent.destroy())
        )
        const check = (url: string) => guardedUrl(url, { allow, allowInsecureUrls, allowPrivateUrls, allowedPorts })

        const exchange = async (url: URL, { body, headers }: Post, signal: AbortSignal) => {
          const answer = await request(url, { method: "POST", headers, body, dispatcher: agent, signal })
          await answer.body.dump({ limit: answerLimitBytes })
          return { status: answer.statusCode, headers: flatHeaders(answer.headers) }
        }

        /** By a timer of the platform: thousands of fibers a second would only wait to be interrupted. */
        const send = (url: URL, options: Post) =>
          Effect.async<Answer, SendFailed>((resume) => {
            const controller = new AbortController()
            const timer = setTimeout(() => {
              resume(Effect.fail(new SendFailed({ reason: "no complete answer in time" })))
              controller.abort()
            }, Duration.toMillis(options.timeout))
            exchange(url, options, controller.signal).then(
              (answer) => resume(Effect.succeed(answer)),
              (error) => resume(Effect.fail(new SendFailed({ reason: failureReason(error) })))
            ).finally(() => clearTimeout(timer))
            return Effect.sync(() => {
              clearTimeout(timer)
              controller.abort()
            })
          })

        const post = (options: Post) =>
          Effect.suspend(() =>
            Either.match(check(options.url), {
              onLeft: (reason) => Effect.fail(new SendFailed({ reason })),
              onRight: (url) => send(url, options)
            })
          ).pipe(Effect.withSpan("GuardedHttp.post", { captureStackTrace: false }))
        return GuardedHttp.of({ post, get: download({ agent, check }) })
      })
    )
}

type Post = Parameters<Context.Tag.Service<GuardedHttp>["post"]>[0]
type Answer = Effect.Effect.Success<ReturnType<Context.Tag.Service<GuardedHttp>["post"]>>

const flatHeaders = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value ?? ""])
  )
