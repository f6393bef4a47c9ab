import { type Calls, makeCalls } from "./Calls.js"
import { routes } from "./generated/Routes.js"
import type { Resources } from "./generated/Types.js"
import { type Invoke, makeInvoke, type MethodArguments, type Route, routeOf } from "./Invocation.js"
import { type Live, makeLive } from "./Live.js"
import { pagePromise } from "./Pages.js"
import { type Fetch, makeTransport } from "./Transport.js"
import { pathOfWorkspace } from "./Workspace.js"

/** Options of a client. */
export interface ClientOptions {
  /** URL of the server with its prefix, such as `https://voice.example.com` or `http://127.0.0.1:8787/voice`. */
  readonly baseUrl: string
  /** API key, such as `sk_live_…`. It gives access to the workspace: keep it on servers. */
  readonly apiKey: string
  /** Workspace as `org/workspace`; by default `main/main`, that of a server whose configuration names none. */
  readonly workspace?: string
  /** `fetch` of your own, for proxies and tests; that of the host by default. */
  readonly fetch?: Fetch
  /** Milliseconds that each try of a request may take until it is answered; 60,000 by default. */
  readonly timeout?: number
  /** Most retries of a request, where they are safe; 2 by default. */
  readonly maxRetries?: number
}

/** The API of a server, with the methods of an engine that `createTrunkline` starts. */
export interface TrunklineClient extends Resources {
  readonly calls: Calls
  readonly live: Live
}

const optionNames: ReadonlyArray<string> = ["baseUrl", "apiKey", "workspace", "fetch", "timeout", "maxRetries"]

const mistake = (problem: string) => new TypeError(`createClient: ${problem}`)

/** The base URL without slashes at its end. */
const checkUrl = (baseUrl: unknown): string => {
  if (typeof baseUrl !== "string" || !URL.canParse(baseUrl) || !/^https?:/.test(baseUrl)) {
    throw mistake("baseUrl must be the URL of the server, such as https://voice.example.com")
  }
  const { hash, search } = new URL(baseUrl)
  if (hash !== "" || search !== "") throw mistake("baseUrl must have no query and no fragment")
  return baseUrl.replace(/\/+$/, "")
}

const checkCount = (name: string, value: number, min: number): number => {
  if (typeof value !== "number" || !(value >= min)) throw mistake(`${name} must be a number of at least ${min}`)
  return value
}

const checkOptions = (options: ClientOptions): Required<ClientOptions> => {
  const unknownName = Object.keys(options).find((name) => !optionNames.includes(name))
  if (unknownName !== undefined) {
    throw mistake(`there is no option ${unknownName}; the options are ${optionNames.join(", ")}`)
  }
  const { apiKey, baseUrl, fetch = globalThis.fetch, maxRetries = 2, timeout = 60_000, workspace = "main/main" } =
    options
  if (typeof apiKey !== "string" || apiKey === "") throw mistake("apiKey is missing: pass a key of the server, sk_…")
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw mistake("apiKey has characters that no key has")
  pathOfWorkspace(workspace)
  return {
    apiKey,
    baseUrl: checkUrl(baseUrl),
    // Browsers call their fetch only as a function of the window.
    fetch: (url, request) => fetch(url, request),
    maxRetries: checkCount("maxRetries", maxRetries, 0),
    timeout: checkCount("timeout", timeout, 1),
    workspace
  }
}

const methodOf = (invoke: Invoke, route: Route) =>
  route.isPaged
    ? (...args: MethodArguments) => pagePromise(invoke, route, args)
    : (...args: MethodArguments) => invoke(route, args)

/** Makes the methods of every resource. Their types and their routes are written from one document, so that the two agree. */
const makeResources = (invoke: Invoke): Resources =>
  Object.fromEntries(
    Object.entries(routes).map(([resource, methods]) => [
      resource,
      Object.fromEntries(Object.entries(methods).map(([method, route]) => [method, methodOf(invoke, routeOf(route))]))
    ])
  ) as unknown as Resources

/**
 * Makes a client of a Trunkline server. Nothing is sent before a method is called. Throws `TypeError` for options that are
 * missing, unknown or wrong. Methods reject with `TrunklineError`, or with the reason of a signal that aborted.
 *
 * @example
 * ```ts
 * const trunkline = createClient({ baseUrl: "http://127.0.0.1:8787", apiKey: process.env.TRUNKLINE_KEY ?? "" })
 * for await (const { name, status } of trunkline.campaigns.list()) console.log(name, status)
 * ```
 */
export const createClient = (options: ClientOptions): TrunklineClient => {
  const { baseUrl, workspace, ...transport } = checkOptions(options)
  const server = { baseUrl, workspace, transport: makeTransport(transport) }
  const resources = makeResources(makeInvoke(server))
  return { ...resources, calls: makeCalls({ ...resources, baseUrl }), live: makeLive(server) }
}
