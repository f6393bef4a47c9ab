import {
  Cookies,
  Headers,
  HttpIncomingMessage,
  type HttpMethod,
  HttpServerError,
  HttpServerRequest,
  UrlParams
} from "@effect/platform"
import type { BodyPace } from "@trunkline/http-api"
import { collectBytes } from "@trunkline/kernel"
import { Effect, Inspectable, Option, Stream } from "effect"
import type { IncomingMessage } from "node:http"
import { type BodyOptions, readText, streamBody } from "./NodeBody.js"

type RequestOverrides = Parameters<HttpServerRequest.HttpServerRequest["modify"]>[0]

const headersPrototype: object | null = Object.getPrototypeOf(Headers.empty)

/** Headers of a request as the platform represents them. Node has lower-cased and joined them already. */
const headersOf = ({ headers }: IncomingMessage): Headers.Headers =>
  Object.assign(Object.create(headersPrototype), headers)

/** Request of `node:http` for an application. It supports no multipart parsers and no sockets of the platform. */
export class NodeRequest extends Inspectable.Class implements HttpServerRequest.HttpServerRequest {
  readonly [HttpServerRequest.TypeId]: HttpServerRequest.TypeId = HttpServerRequest.TypeId
  readonly [HttpIncomingMessage.TypeId]: HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly url: string
  private ownHeaders: Headers.Headers | undefined
  private body: Effect.Effect<string, HttpServerError.RequestError> | undefined

  constructor(
    readonly source: IncomingMessage,
    private readonly pace: BodyPace,
    private readonly overrides: RequestOverrides = {}
  ) {
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
    return streamBody(this.source, this.reading)
  }

  get text(): Effect.Effect<string, HttpServerError.RequestError> {
    return this.body ??= readText(this.source, this.reading)
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
    return Effect.map(collectBytes(this.stream), (bytes) => new Uint8Array(bytes).buffer)
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
    return new NodeRequest(this.source, this.pace, { url: this.url, ...this.overrides, ...overrides })
  }

  private get reading(): BodyOptions<HttpServerError.RequestError> {
    return { pace: this.pace, errorOf: (cause) => this.error(cause) }
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
