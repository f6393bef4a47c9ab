import {
  Cookies,
  Headers,
  HttpIncomingMessage,
  type HttpMethod,
  HttpServerError,
  HttpServerRequest,
  UrlParams
} from "@effect/platform"
import { NodeStream } from "@effect/platform-node"
import { Effect, Exit, Inspectable, Option, Stream } from "effect"
import type { IncomingMessage } from "node:http"

type RequestOverrides = Parameters<HttpServerRequest.HttpServerRequest["modify"]>[0]

const headersPrototype: object | null = Object.getPrototypeOf(Headers.empty)

/** Headers of a request as the platform represents them. Node has lower-cased and joined them already. */
const headersOf = ({ headers }: IncomingMessage): Headers.Headers =>
  Object.assign(Object.create(headersPrototype), headers)

/** Reads a body as text. Later reads have the same outcome; the interruption of the first one ends the request. */
const readText = <E>(source: IncomingMessage, errorOf: (cause: unknown) => E): Effect.Effect<string, E> => {
  let outcome: Exit.Exit<string, E> | undefined
  const read = Effect.async<string, E>((resume) => {
    const settle = (exit: Exit.Exit<string, E>) => {
      outcome = exit
      resume(exit)
    }
    let text = ""
    source.setEncoding("utf8")
    source.once("error", (cause) => settle(Exit.fail(errorOf(cause))))
    source.once("end", () => settle(Exit.succeed(text)))
    source.on("data", (chunk) => text += chunk)
    return Effect.sync(() => void source.destroy())
  })
  return Effect.suspend(() => outcome ?? read)
}

/** Request of `node:http` for an application. It supports no multipart parsers and no sockets of the platform. */
export class NodeRequest extends Inspectable.Class implements HttpServerRequest.HttpServerRequest {
  readonly [HttpServerRequest.TypeId]: HttpServerRequest.TypeId = HttpServerRequest.TypeId
  readonly [HttpIncomingMessage.TypeId]: HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly url: string
  private ownHeaders: Headers.Headers | undefined
  private body: Effect.Effect<string, HttpServerError.RequestError> | undefined

  constructor(readonly source: IncomingMessage, private readonly overrides: RequestOverrides = {}) {
    super()
    this.url = overrides.url ?? this.originalUrl
  }

  get originalUrl(): string {
    return this.source.url ?? "/"
  }

  get method(): HttpMethod.HttpMethod {
    return Object(this.source).method
  }

  get headers(): Headers.Headers {
    return this.overrides.headers ?? (this.ownHeaders ??= headersOf(this.source))
  }

  get cookies() {
    return Cookies.parseHeader(this.headers["cookie"] ?? "")
  }

  get remoteAddress() {
    return Option.fromNullable(this.overrides.remoteAddress ?? this.source.socket.remoteAddress)
  }

  get stream(): Stream.Stream<Uint8Array, HttpServerError.RequestError> {
    return NodeStream.fromReadable(() => this.source, (cause) => this.error(cause))
  }

  get text(): Effect.Effect<string, HttpServerError.RequestError> {
    return this.body ??= readText(this.source, (cause) => this.error(cause))
  }

  get json(): Effect.Effect<unknown, HttpServerError.RequestError> {
    return Effect.tryMap(this.text, {
      try: (text): unknown => text === "" ? null : JSON.parse(text),
      catch: (cause) => this.error(cause)
    })
  }

  get urlParamsBody(): Effect.Effect<UrlParams.UrlParams, HttpServerError.RequestError> {
    return Effect.map(this.text, (text) => UrlParams.fromInput(new URLSearchParams(text)))
  }

  get arrayBuffer(): Effect.Effect<ArrayBuffer, HttpServerError.RequestError> {
    return NodeStream.toUint8Array(() => this.source, { onFailure: (cause) => this.error(cause) }).pipe(
      Effect.map((bytes) => new Uint8Array(bytes).buffer)
    )
  }

  get multipart() {
    return Effect.dieMessage("Forms are read from the stream of the request")
  }

  get multipartStream() {
    return Stream.dieMessage("Forms are read from the stream of the request")
  }

  get upgrade() {
    return Effect.fail(this.error("The request cannot be upgraded"))
  }

  modify(overrides: RequestOverrides): NodeRequest {
    return new NodeRequest(this.source, { url: this.url, ...this.overrides, ...overrides })
  }

  private error(cause: unknown): HttpServerError.RequestError {
    return new HttpServerError.RequestError({ request: this, reason: "Decode", cause })
  }

  toJSON(): unknown {
    return HttpIncomingMessage.inspect(this, {
      _id: "@effect/platform/HttpServerRequest",
      method: this.method,
      url: this.originalUrl
    })
  }
}
