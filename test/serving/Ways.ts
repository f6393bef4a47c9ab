import { afterAll, beforeAll } from "@effect/vitest"
import type { EngineName } from "./engines/index.js"

/** An engine that is being served. */
export interface Served {
  /** Where its routes are: the origin and the prefix, without a slash at the end. */
  readonly url: string
  /** Takes no more connections, lets requests in flight finish, and stops the engine. */
  readonly close: () => Promise<void>
}

/** A host that keeps what is not ours to itself. */
export interface Host {
  /** The text with which it answers whatever nobody has, with status 404. */
  readonly nobody: string
  /** The text of its own page `/own`, which lies under our prefix. */
  readonly own: string
  /** Whether it reads JSON before us, so that it is the one who refuses what is malformed. */
  readonly parsesJson: boolean
}

/** A way to serve the engine. */
export interface Way {
  readonly name: string
  /** What stands before every path, such as `/voice`; empty where there is nothing. */
  readonly prefix: string
  /** None where the engine has the server to itself. */
  readonly host?: Host
  /** Whether a request can become a WebSocket. */
  readonly webSockets: boolean
  /** Serves a fresh engine on a free port. */
  readonly start: (engine?: EngineName) => Promise<Served>
}

/** Serves an engine for all the tests of a suite. */
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
