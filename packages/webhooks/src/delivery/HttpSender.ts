import { Context, type Duration, Effect, Layer, Schema } from "effect"

/** The request could not be sent, or no answer came: the address is refused, the network failed, the time ran out. */
export class SendFailed extends Schema.TaggedError<SendFailed>()("SendFailed", {
  /** What went wrong, fit for a log: never the URL, the headers or the body. */
  reason: Schema.String
}) {}

/** Sends bytes to somebody else's server. */
export class HttpSender extends Context.Tag("@trunkline/webhooks/HttpSender")<HttpSender, {
  /** POSTs `body`, and completes with whatever status was answered; redirects are answers, not followed. */
  readonly post: (request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: Uint8Array
    /** From connect to the last byte of the answer. */
    readonly timeout: Duration.Duration
  }) => Effect.Effect<{ readonly status: number; readonly headers: Readonly<Record<string, string>> }, SendFailed>
}>() {
  /** Nothing leaves the process: every request is answered as `post` says. */
  static readonly layerOf = (post: typeof HttpSender.Service["post"]) => Layer.succeed(HttpSender, { post })

  /** Nothing leaves the process: every request is answered 204. */
  static readonly layerMemory = HttpSender.layerOf(() => Effect.succeed({ status: 204, headers: {} }))
}
