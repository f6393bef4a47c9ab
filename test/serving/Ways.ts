import { afterAll, beforeAll } from "@effect/vitest"
import type { EngineName } from "./engines/index.js"

/** A server with an engine. */
export interface Served {
  /** Base URL with the prefix, without a trailing slash. */
  readonly url: string
  /** Stops accepting connections, lets requests in flight finish, and stops the engine. */
  readonly close: () => Promise<void>
}

/** A host application with routes of its own. */
export interface Host {
  /** Text of its 404 response. */
  readonly notFound: string
  /** Text of its page `/own`, which is under the prefix of the API. */
  readonly own: string
  /** True when it parses JSON first, and so rejects malformed JSON itself. */
  readonly parsesJson: boolean
}

/** A way to serve the engine. */
export interface Way {
  readonly name: string
  /** Path prefix of the API, such as `/voice`; empty for none. */
  readonly prefix: string
  /** The host application; none when the server only serves the engine. */
  readonly host?: Host
  /** True when requests can be upgraded to WebSockets. */
  readonly webSockets: boolean
  /** Serves a fresh engine on a free port. */
  readonly start: (engine?: EngineName) => Promise<Served>
}

/** Serves an engine during the tests of a suite. */
export const served = (way: Way, engine?: EngineName): Pick<Served, "url"> => {
  let server: Served | undefined
  beforeAll(async () => {
    server = await way.start(engine)
  })
  afterAll(() => server?.close())
  return {
    get url() {
      return server?.url ?? ""
    }
  }
}
