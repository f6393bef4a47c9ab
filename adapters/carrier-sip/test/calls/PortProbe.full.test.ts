import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createSocket } from "node:dgram"
import { isPortClosed } from "../../src/calls/PortProbe.js"
import { freePort } from "../../src/testing/PeerProcess.js"

const bound = (address: string) =>
  Effect.acquireRelease(
    Effect.async<ReturnType<typeof createSocket>>((resume) => {
      const socket = createSocket(address.includes(":") ? "udp6" : "udp4")
      socket.bind(0, address, () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => void socket.close())
  )

describe("a port of this machine", () => {
  for (const host of ["127.0.0.1", "::1"]) {
    it.scopedLive(`is closed when nobody listens at ${host} over UDP`, () =>
      Effect.gen(function*() {
        const { port } = (yield* bound(host)).address()
        const free = yield* freePort()
        assert.isFalse(yield* isPortClosed({ protocol: "udp", host, port }))
        assert.isTrue(yield* isPortClosed({ protocol: "udp", host, port: free }))
        assert.isFalse(yield* isPortClosed({ protocol: "tcp", host, port: free }))
      }))
  }

  it.live("of another machine is not asked", () =>
    Effect.map(isPortClosed({ protocol: "udp", host: "192.0.2.1", port: 9 }), (isClosed) => assert.isFalse(isClosed)))
})
