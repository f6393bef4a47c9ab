import type { IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import type { Resources } from "./generated/Resources.js"
import type { AccessMethods } from "./promises/AccessTypes.js"
import type { Calls, Live } from "./promises/CallTypes.js"
import type { Simulator } from "./promises/SimulatorTypes.js"

/** Options of handlers. */
export interface HandlerOptions {
  /**
   * Complete path that the handler is mounted under, such as `/voice`; none by default. Express needs it for `upgrade` only.
   */
  readonly prefix?: string
  /** Lowest pace of the body of a request. A slower one is answered with an error. */
  readonly bodyPace?: {
    /** Longest time without any bytes, in milliseconds; 30,000 by default. */
    readonly idleTimeout?: number
    /** Bytes a second that must arrive on average, after the first `idleTimeout`; 500 by default. */
    readonly minimumRate?: number
  }
}

/** Express middleware: requests outside of the API go to the next handler. */
export interface ExpressMiddleware {
  (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void
  /** Handles WebSockets, for `server.on("upgrade")`. Returns false for paths outside of the API. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean
}

/** Request listener for `http.createServer`. */
export interface NodeListener {
  (request: IncomingMessage, response: ServerResponse): void
  /** True when a request is for the API. */
  readonly handles: (request: IncomingMessage) => boolean
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean
}

/** Handler of a fetch request. */
export type FetchRoute = (request: Request) => Promise<Response>

/** Fetch handler, and the same one for each method, as Next.js exports them. */
export interface FetchRoutes extends FetchRoute {
  readonly GET: FetchRoute
  readonly POST: FetchRoute
  readonly PUT: FetchRoute
  readonly PATCH: FetchRoute
  readonly DELETE: FetchRoute
  readonly HEAD: FetchRoute
  readonly OPTIONS: FetchRoute
}

/** A server of its own. */
export interface TrunklineServer {
  /** Base URL with the prefix, without a trailing slash. */
  readonly url: string
  /** Stops accepting connections, and lets requests in flight finish. */
  readonly close: () => Promise<void>
}

/**
 * The way down to Effect. Import `trunkline/effect` for the types of its members: the runtime with every service of the
 * engine.
 */
export interface TrunklineEffect {}

/** A running engine. */
export interface Trunkline extends Resources, AccessMethods {
  readonly calls: Calls
  readonly live: Live
  /** The simulated phone network, for tests of incoming calls. */
  readonly simulator: Simulator
  /** Express middleware, to be mounted with `app.use("/voice", trunkline.express())`. */
  readonly express: (options?: HandlerOptions) => ExpressMiddleware
  /** Request listener for `http.createServer`, Fastify and Koa. */
  readonly node: (options?: HandlerOptions) => NodeListener
  /** Fetch handler for Hono, Next.js and others. */
  readonly fetch: (options?: HandlerOptions) => FetchRoutes
  /** Serves the HTTP interface on a port; 8787 of this machine by default, and a free one for 0. */
  readonly listen: (
    options?: HandlerOptions & { readonly port?: number; readonly host?: string }
  ) => Promise<TrunklineServer>
  readonly effect: TrunklineEffect
  /**
   * Lets requests in flight finish, waits up to 30 seconds for calls in progress, and stops the engine. What is unfinished
   * goes on when the folder is opened again.
   */
  readonly close: () => Promise<void>
}
