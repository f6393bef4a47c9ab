import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { header, makeDigestServer, type RegistrationOptions } from "@trunkline/sip"
import { Effect, Exit, Fiber, Scope, Stream } from "effect"
import { callee, caller, inBackground, makeNetwork } from "../Agents.js"
import { makePeer } from "../Peer.js"

const options: RegistrationOptions = { registrar: `sip:${callee}`, address: `sip:1001@${callee}` }
const now = Effect.clockWith((clock) => clock.currentTimeMillis)

const withRegistrar = (registration: Partial<RegistrationOptions> = {}) =>
  Effect.gen(function*() {
    const network = yield* makeNetwork({ delay: [0, 0] })
    const agent = yield* network.agent(caller)
    const registrar = yield* makePeer(network, callee)
    const scope = yield* Scope.make()
    const kept = yield* Scope.extend(agent.register({ ...options, ...registration }), scope)
    return { ...network, agent, registrar, kept, scope }
  })

describe("a registration", () => {
  virtualTest(
    "is refreshed at 80 % of its lifetime with the same Call-ID, and removed at the end",
    () =>
      Effect.gen(function*() {
        const { agent, kept, registrar, scope } = yield* withRegistrar()
        assert.deepStrictEqual(yield* kept.state, { _tag: "Registering" })
        const first = yield* registrar.request("REGISTER")
        assert.strictEqual(header(first, "expires"), "3600")
        assert.strictEqual(header(first, "contact"), `<sip:1001@${caller}:5060>`)
        yield* registrar.respond(caller, first, 200, {
          headers: [["contact", `${header(first, "contact")};expires=100`]]
        })
        const second = yield* registrar.request("REGISTER")
        assert.strictEqual(yield* now, 80_000)
        assert.strictEqual(header(second, "call-id"), header(first, "call-id"))
        assert.strictEqual(header(second, "cseq"), "2 REGISTER")
        assert.deepStrictEqual(yield* kept.state, { _tag: "Registered", until: 100_000 })
        yield* registrar.respond(caller, second, 200, { headers: [["expires", "300"]] })
        yield* Effect.sleep("1 second")
        assert.deepStrictEqual(yield* kept.state, { _tag: "Registered", until: 380_000 })
        const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
        const last = yield* registrar.request("REGISTER")
        assert.strictEqual(header(last, "expires"), "0")
        yield* registrar.respond(caller, last, 200)
        yield* Fiber.join(closing)
        assert.strictEqual(yield* now, 81_000)
        yield* Effect.sleep("6 seconds")
        assert.deepStrictEqual(agent.counts(), { transactions: 0, calls: 0 })
      })
  )

  virtualTest("asks for the lifetime that the registrar wants at least (423)", () =>
    Effect.gen(function*() {
      const { kept, registrar } = yield* withRegistrar({ expires: "60 seconds" })
      const first = yield* registrar.request("REGISTER")
      yield* registrar.respond(caller, first, 423, { headers: [["min-expires", "600"]] })
      const second = yield* registrar.request("REGISTER")
      assert.strictEqual(header(second, "expires"), "600")
      yield* registrar.respond(caller, second, 200)
      yield* Effect.sleep("1 second")
      assert.deepStrictEqual(yield* kept.state, { _tag: "Registered", until: 600_000 })
    }))

  virtualTest(
    "answers the challenge of the registrar, and refreshes without another one",
    () =>
      Effect.gen(function*() {
        const server = makeDigestServer({ realm: "pbx", key: new Uint8Array(16), passwordOf: () => "secret" })
        const { kept, namesOf, registrar } = yield* withRegistrar({
          credentials: { username: "1001", password: "secret" }
        })
        const serve = Effect.gen(function*() {
          const request = yield* registrar.request("REGISTER")
          const verdict = server.verify(request, 0)
          const [challenge = ""] = server.challenge({ now: 0, salt: "salt", stale: false })
          yield* verdict._tag === "Verified"
            ? registrar.respond(caller, request, 200, { headers: [["expires", "100"]] })
            : registrar.respond(caller, request, 401, { headers: [["www-authenticate", challenge]] })
        })
        yield* Effect.asVoid(inBackground(Effect.forever(serve)))
        yield* Effect.sleep("170 seconds")
        assert.strictEqual((yield* kept.state)._tag, "Registered")
        assert.deepStrictEqual(namesOf(caller), ["REGISTER", "REGISTER", "REGISTER", "REGISTER"])
      })
  )

  virtualTest(
    "that fails is tried again: after growing pauses, a minute after a refusal, and not before Retry-After",
    () =>
      Effect.gen(function*() {
        const { kept, registrar } = yield* withRegistrar()
        const times: Array<number> = []
        const failWith = (status: number, headers: ReadonlyArray<readonly [string, string]> = []) =>
          Effect.gen(function*() {
            const request = yield* registrar.request("REGISTER")
            times.push((yield* now) / 1_000)
            yield* registrar.respond(caller, request, status, { headers })
          })
        yield* failWith(500)
        yield* failWith(500)
        yield* failWith(500)
        yield* failWith(503, [["retry-after", "100"]])
        yield* failWith(403)
        yield* failWith(200)
        assert.deepStrictEqual(times, [0, 1, 3, 7, 107, 167])
        yield* Effect.sleep("1 second")
        assert.strictEqual((yield* kept.state)._tag, "Registered")
      })
  )

  virtualTest(
    "keeps its path over UDP open, in intervals that differ, for as long as it is registered",
    () =>
      Effect.gen(function*() {
        const { observe, registrar } = yield* withRegistrar({ keepAlive: "29 seconds" })
        const times: Array<number> = []
        const clock = yield* Effect.clock
        observe((from, to, bytes) => {
          if (new TextDecoder().decode(bytes) !== "\r\n\r\n") return
          assert.deepStrictEqual([from, to.host, to.port], [caller, callee, 5060])
          times.push(clock.unsafeCurrentTimeMillis())
        })
        yield* Effect.sleep("60 seconds")
        assert.deepStrictEqual(times, [])
        yield* registrar.waiting
        yield* registrar.respond(caller, yield* registrar.request("REGISTER"), 200)
        yield* Effect.sleep("10 minutes")
        const gaps = times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / 1_000)
        assert.isAtLeast(Math.min(...gaps), 0.8 * 29)
        assert.isAtMost(Math.max(...gaps), 29)
        assert.isAtLeast(gaps.length, 20)
        assert.isAbove(new Set(gaps).size, 10)
      })
  )

  virtualTest(
    "sends no keep-alives over TCP, whose transport does, and none unless it is told to",
    () =>
      Effect.gen(function*() {
        for (const silent of [{}, { keepAlive: "29 seconds", registrar: `sip:${callee};transport=tcp` }] as const) {
          const { observe, registrar } = yield* withRegistrar(silent)
          let shortest = Infinity
          observe((_from, _to, bytes) => {
            shortest = Math.min(shortest, bytes.length)
          })
          yield* registrar.respond(caller, yield* registrar.request("REGISTER"), 200)
          yield* Effect.sleep("10 minutes")
          assert.isAbove(shortest, 4)
        }
      })
  )

  virtualTest("is renewed at once when in doubt, unless it is fresh or is tried anyway", () =>
    Effect.gen(function*() {
      const { kept, namesOf, registrar } = yield* withRegistrar()
      yield* kept.renew
      const first = yield* registrar.request("REGISTER")
      yield* kept.renew
      yield* registrar.respond(caller, first, 200)
      yield* Effect.sleep("9 seconds")
      yield* kept.renew
      yield* Effect.sleep("500 millis")
      assert.lengthOf(namesOf(caller), 1)
      yield* Effect.sleep("1 second")
      yield* kept.renew
      const second = yield* registrar.request("REGISTER")
      assert.strictEqual(yield* now, 10_500)
      assert.strictEqual(header(second, "cseq"), "2 REGISTER")
      yield* registrar.respond(caller, second, 500)
      yield* Effect.sleep("500 millis")
      yield* kept.renew
      yield* registrar.request("REGISTER")
      assert.strictEqual(yield* now, 11_500)
    }))

  virtualTest("is asked for within a minute of any failure, however many there were", () =>
    Effect.gen(function*() {
      const { registrar } = yield* withRegistrar()
      const times: Array<number> = []
      for (let failure = 0; failure < 10; failure++) {
        const request = yield* registrar.request("REGISTER")
        times.push((yield* now) / 1_000)
        yield* registrar.respond(caller, request, 500)
      }
      assert.deepStrictEqual(times, [0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
    }))

  virtualTest("tells its states, also that nobody responds", () =>
    Effect.gen(function*() {
      const { kept, registrar } = yield* withRegistrar()
      const states = yield* Effect.fork(Stream.runCollect(Stream.take(kept.changes, 3)))
      yield* Effect.sleep("33500 millis")
      yield* registrar.waiting
      yield* registrar.respond(caller, yield* registrar.request("REGISTER"), 200)
      const tags = Array.from(yield* Fiber.join(states), ({ _tag }) => _tag)
      assert.deepStrictEqual(tags, ["Registering", "Failed", "Registered"])
      const unresolved = yield* withRegistrar({ registrar: "sip:nowhere.example" })
      yield* Effect.sleep("1 millis")
      assert.deepStrictEqual(yield* unresolved.kept.state, { _tag: "Failed", kind: "unresolved", status: null })
    }))
})
