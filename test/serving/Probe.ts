import { afterAll, beforeAll, beforeEach } from "@effect/vitest"
import { EventEmitter, once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

/** Collects reports of an engine under test, in this or another process, and blocks it at gates. */
export interface Probe {
  /** Reports since the test began, in order. */
  readonly reports: ReadonlyArray<string>
  /** Completes when so many reports equal the text, or match the pattern; one by default. Returns the last of them. */
  readonly reported: (what: string | RegExp, times?: number) => Promise<string>
  /** Opens a gate for everything that waits there, or arrives later. */
  readonly open: (gate: string) => void
}

/** Starts a probe for the tests of a suite. Engines that start later find it through the environment. */
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
