import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { makeAuthority } from "../../src/testing/Certificates.js"
import { startKamailio } from "../../src/testing/Kamailio.js"
import { freePort, hasTools } from "../../src/testing/PeerProcess.js"
import { startSipp } from "../../src/testing/Sipp.js"
import type { Step } from "../../src/testing/SippScenario.js"
import { carrierOf, connectionTo, lineOf, liveTests, planFor, theirNumber, until, watch } from "../peers/World.js"
import { answers, hangsUp, isHungUp } from "../sipp/Callee.js"

const live = liveTests()

/** Folders in which Debian keeps the module for TLS. */
const modules = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map((name) => `/usr/lib/${name}/kamailio/modules/tls.so`)

const hasPeers = hasTools("sipp", "kamailio", "openssl") && modules.some((path) => existsSync(path))

/** A line that registers and calls through kamailio over TLS, and a callee behind it over UDP. */
const world = (steps: ReadonlyArray<Step>, names: ReadonlyArray<string> = ["IP:127.0.0.1"]) =>
  Effect.gen(function*() {
    const authority = yield* makeAuthority
    const proxy = yield* startKamailio({ password: "trunk-secret", tls: authority.issue("proxy", ...names) })
    const callee = yield* startSipp({ remote: null, steps })
    const connection = connectionTo(proxy.port, {
      server: `sip:127.0.0.1:${proxy.port + 1};transport=tls`,
      local: { address: "127.0.0.1", port: yield* freePort(1) },
      tls: { ca_file: authority.ca_file },
      to_uri: `sip:route-${callee.port}{digits}@{server}`,
      credentials: { user: "trunk", password_env: "TRUNK_PASSWORD" },
      register: {},
      inbound: { allow: ["127.0.0.1"] },
      srtp: "off"
    })
    const carrier = yield* carrierOf(connection)
    return { carrier, callee, connection, place: carrier.place(planFor(connection, theirNumber)) }
  })

describe.skipIf(!hasPeers)("a proxy with TLS", () => {
  live("registers a line, and passes its calls to their end by either side", () =>
    Effect.gen(function*() {
      for (const isTheirs of [false, true]) {
        const { callee, carrier, connection, place } = yield* world([...answers(), ...isTheirs ? hangsUp() : isHungUp])
        const line = lineOf(yield* (yield* place).answer)
        const { ended } = watch(line)
        if (!isTheirs) yield* line.hangUp
        assert.strictEqual(yield* ended, isTheirs ? "user" : "agent")
        yield* callee.outcome
        const state = yield* carrier.lineState?.(connection) ?? Effect.dieMessage("The carrier tells no state")
        assert.strictEqual(state.registration?.status, "registered")
      }
    }))

  live("with a certificate for another name is told nothing, and the line says why", () =>
    Effect.gen(function*() {
      const { carrier, connection, place } = yield* world([], ["DNS:another.example"])
      const failure = yield* Effect.flip(place)
      assert.strictEqual(failure.reason, "sip: provider_unavailable")
      let reason = ""
      const look = Effect.map(carrier.lineState?.(connection) ?? Effect.succeed(null), (state) => {
        reason = state?.last_failure?.reason ?? ""
        return reason
      })
      yield* Effect.repeat(Effect.delay(look, "50 millis"), { until: (reason) => reason !== "" })
      yield* until(() => reason !== "")
      assert.match(reason, /could not be reached: ERR_TLS_CERT_ALTNAME_INVALID$/)
    }))
})
