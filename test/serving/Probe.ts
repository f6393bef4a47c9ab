import { afterAll, beforeAll, beforeEach } from "@effect/vitest"
import { EventEmitter, once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

/** Hears what an engine under test reports, in this process or another, and holds it up at gates. */
export interface Probe {
  /** What was reported since the test began, in order. */
  readonly reports: ReadonlyArray<string>
  /** Completes with a report of this text, or one that matches, when there have been as many of them; 1 when absent. */
  readonly reported: (what: string | RegExp, times?: number) => Promise<string>
  /** Lets what waits at a gate go on, and all that comes there later. */
  readonly open: (gate: string) => void
}

/** A probe for the tests of a suite. Engines that are started after it find it by the environment. */
export const probing = (): Probe => {
  const reports: Array<string> = []
  const opened = new Set<string>()
  const happened = new EventEmitter().setMaxListeners(0)

  const waitFor = async <A>(find: () => A | undefined): Promise<A> => {
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      await once(happened, "change")
    }
  }

  const server = createServer(async (request, response) => {
    const gate = request.url?.slice(1) ?? ""
    if (gate === "") {
      reports.push(await text(request))
      happened.emit("change")
    } else {
      await waitFor(() => opened.has(gate) || undefined)
    }
    response.end()
  })

  beforeAll(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening")
    process.env["TRUNKLINE_PROBE"] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    reports.length = 0
    opened.clear()
  })
  afterAll(() => {
    delete process.env["TRUNKLINE_PROBE"]
    server.closeAllConnections()
    server.close()
  })

  return {
    reports,
    reported: (what, times = 1) =>
      waitFor(() =>
        reports.filter((report) => typeof what === "string" ? report === what : what.test(report))[times - 1]
      ),
    open: (gate) => {
      opened.add(gate)
      happened.emit("change")
    }
  }
}
