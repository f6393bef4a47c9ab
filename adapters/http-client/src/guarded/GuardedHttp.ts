import { DownloadRefused, FileDownload } from "@trunkline/cohorts"
import { HttpSender } from "@trunkline/webhooks"
import { Context, Duration, Effect, Layer, Stream } from "effect"
import { Agent } from "undici/index.js"
import { guardedUrl, isPublicAddress } from "./AddressRules.js"
import { download, type DownloadFailed, type DownloadRequest } from "./Download.js"
import { checkRuntime, guardedConnector, type HostLookup, lookupHost } from "./GuardedConnector.js"
import { makeGuardedPost } from "./GuardedPost.js"
import { type GuardedRequest, type GuardedResponse, send } from "./GuardedSend.js"

const connectTimeout = Duration.seconds(5)

/** Options of the guard; all defaults are strict. */
export interface GuardOptions {
  /** Allows `http:` in addition to `https:`. */
  readonly allowInsecureUrls?: boolean
  /** Allows private, loopback and other non-public addresses, and every port. */
  readonly allowPrivateUrls?: boolean
  /** Allowed ports below 1024 in addition to the default port of the scheme (443, or 80 for `http:`); default: none. */
  readonly allowedPorts?: ReadonlyArray<number>
  /**
   * Restricts hosts, for example to those of one service. Receives the host in the form of the URL standard: lower case,
   * names in ASCII, with a trailing dot if there is one, and IPv6 in brackets. Default: all hosts.
   */
  readonly allow?: (host: string) => boolean
  /** Resolver of host names; default: the operating system. */
  readonly lookup?: HostLookup
}

/**
 * An HTTP client for URLs chosen by callers that only reaches the public internet (protection against SSRF).
 *
 * Hosts with any non-public address are rejected, and connections go to exactly the addresses that were checked. The
 * connect timeout is 5 seconds, and no proxy is used. Errors never contain the URL, headers or body.
 *
 * @example
 * ```ts
 * const { get } = yield* GuardedHttp
 * const bytes = get({ url, maxBytes: 1_000_000 })
 * ```
 */
export class GuardedHttp extends Context.Tag("@trunkline/http-client/GuardedHttp")<GuardedHttp, {
  /** Sends a POST request. Redirects are not followed, and at most 64 kB of the response body are read. */
  readonly post: Context.Tag.Service<typeof HttpSender>["post"]
  /** Streams the body of a GET request within limits of size, time and redirects. Each redirect is checked again. */
  readonly get: (request: DownloadRequest) => Stream.Stream<Uint8Array, DownloadFailed>
  /** Sends a request and reads its whole response, whatever its status. Redirects are not followed. */
  readonly send: (request: GuardedRequest) => Effect.Effect<GuardedResponse, DownloadFailed>
}>() {
  /** Provides a client whose connections close with the layer. Dies on a runtime that bypasses the guard. */
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

        return GuardedHttp.of({
          post: makeGuardedPost({ agent, check }),
          get: download({ agent, check }),
          send: send({ agent, check })
        })
      })
    )
}

/** Layer of `HttpSender` on `GuardedHttp`: reaches public `https:` receivers only, unless the options allow more. */
export const HttpSenderGuarded = {
  layer: (options: GuardOptions = {}): Layer.Layer<HttpSender> =>
    Layer.effect(HttpSender, Effect.map(GuardedHttp, ({ post }) => HttpSender.of({ post }))).pipe(
      Layer.provide(GuardedHttp.layer(options))
    )
}

/**
 * Layer of `FileDownload` on `GuardedHttp`: downloads from public `https:` addresses only, unless the options allow more.
 *
 * Files have at most 100 MB and take at most ten minutes, with pauses below 30 seconds. Redirects are not followed. Bodies
 * compressed with gzip, deflate or br are decompressed; limits apply to the decompressed size too.
 */
export const FileDownloadGuarded = {
  layer: (options: GuardOptions = {}): Layer.Layer<FileDownload> =>
    Layer.effect(
      FileDownload,
      Effect.map(GuardedHttp, ({ get }) =>
        FileDownload.of({
          fetch: (url) =>
            Stream.mapError(
              get({ url, maxRedirects: 0 }),
              ({ reason }) => new DownloadRefused({ message: `The file could not be fetched: ${reason}` })
            )
        }))
    ).pipe(Layer.provide(GuardedHttp.layer(options)))
}
