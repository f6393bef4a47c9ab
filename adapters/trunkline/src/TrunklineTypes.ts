import type { IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import type { ConsoleHandlers, ConsoleOptions } from "./assembly/ConsolePage.js"
import type { Resources } from "./generated/Resources.js"
import type { AccessMethods } from "./promises/AccessTypes.js"
import type { Calls, Live } from "./promises/CallTypes.js"
import type { DataMethods } from "./promises/DataTypes.js"
import type { Replays } from "./promises/replays/ReplayTypes.js"
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

/** Result of one check of an engine. */
export interface ReadinessCheck {
  /**
   * `store`: a write within 5 seconds; `schema`: the version of the database; `disk`: at least 64 MiB free; `draining`: nobody
   * has told the engine to stop.
   */
  readonly name: "store" | "schema" | "disk" | "draining"
  readonly ok: boolean
  /** Finding in words. */
  readonly detail: string
}

/** Result of the checks of an engine. */
export interface Readiness {
  /** True if every check succeeded. */
  readonly ready: boolean
  readonly checks: ReadonlyArray<ReadinessCheck>
}

/** Options of `drain`. */
export interface DrainOptions {
  /** Time that calls have to end; 30 by default. */
  readonly seconds?: number
  /** Time between the report that the engine is not ready and its last new call; 0 by default. */
  readonly pauseSeconds?: number
}

/** A running engine. */
export interface Trunkline extends Resources, AccessMethods, DataMethods {
  readonly calls: Calls
  readonly live: Live
  /** Replays of calls through changed agents. */
  readonly replays: Replays
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
  /**
   * Makes the console, a page to see and steer a workspace, for your own server and behind your own sign-in. Needs the package
   * `@trunkline/console`.
   */
  readonly console: (options?: ConsoleOptions) => Promise<ConsoleHandlers>
  /** Checks if this engine should get requests and calls, as `/readyz` does. */
  readonly ready: () => Promise<Readiness>
  /**
   * Reads the metrics of this process, and the state of the engine, in version 0.0.4 of Prometheus's text format, as
   * `text/plain; version=0.0.4; charset=utf-8`. Names, labels and units are in docs/operations.md.
   */
  readonly metrics: () => Promise<string>
  /**
   * Takes the engine out of service before `close`: it reports that it is not ready, goes on for `pauseSeconds` (0 by default),
   * begins no more calls, and gives those that go on `seconds` (30 by default). Resolves with the number of calls that have not
   * ended by then; `close` cuts them without waiting again.
   */
  readonly drain: (options?: DrainOptions) => Promise<{ readonly calls: number }>
  readonly effect: TrunklineEffect
  /**
   * Lets requests in flight finish, waits up to 30 seconds for calls in progress, and stops the engine. What is unfinished
   * goes on when the folder is opened again.
   */
  readonly close: () => Promise<void>
}
