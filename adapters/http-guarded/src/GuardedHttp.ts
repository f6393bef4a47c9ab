import { type HttpSender, SendFailed } from "@trunkline/webhooks"
import { Context, Duration, Effect, Layer, type Stream } from "effect"
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

        const post = Effect.fn("GuardedHttp.post")(
          function*({ body, headers, timeout, url }: Parameters<Context.Tag.Service<GuardedHttp>["post"]>[0]) {
            const checked = yield* Effect.mapError(check(url), (reason) => new SendFailed({ reason }))
            return yield* Effect.tryPromise({
              try: async (signal) => {
                const answer = await request(checked, { method: "POST", headers, body, dispatcher: agent, signal })
                await answer.body.dump({ limit: answerLimitBytes })
                return { status: answer.statusCode, headers: flatHeaders(answer.headers) }
              },
              catch: (error) => new SendFailed({ reason: failureReason(error) })
            }).pipe(
              Effect.timeoutFail({
                duration: timeout,
                onTimeout: () => new SendFailed({ reason: "no complete answer in time" })
              })
            )
          }
        )
        return GuardedHttp.of({ post, get: download({ agent, check }) })
      })
    )
}

const flatHeaders = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value ?? ""])
  )
