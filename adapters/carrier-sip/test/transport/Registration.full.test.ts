import { assert, describe } from "@effect/vitest"
import { header, headers, makeMessageFramer, parseMessage, type SipRequest, writeMessage } from "@trunkline/sip"
import { Effect, Either } from "effect"
import { createServer, type Socket } from "node:net"
import { carrierOf, connectionTo, liveTests, planFor, until } from "../peers/World.js"
import { openSocket } from "../UdpRelay.js"

const live = liveTests()

const respond = (request: SipRequest, status: number): Uint8Array =>
  writeMessage({
    _tag: "Response",
    status,
    reason: "Told",
    headers: [
      ...headers(request, "via").map((via) => ["via", via] as const),
      ...["from", "to", "call-id", "cseq", "contact"].map((name) => [name, header(request, name) ?? ""] as const)
    ],
    body: new Uint8Array()
  })

const lineTo = (port: number, options: object) =>
  connectionTo(port, {
    credentials: { user: "trunk", password_env: "TRUNK_PASSWORD" },
    inbound: { allow: ["127.0.0.1"] },
    ...options
  })

/** A server over UDP that gives each request the status of its method; none leaves it unanswered. */
const server = (statuses: Readonly<Record<string, number>>) =>
  Effect.gen(function*() {
    const socket = yield* openSocket()
    const methods: Array<string> = []
    socket.on("message", (bytes, { port }) => {
      const message = Either.getOrUndefined(parseMessage(bytes))
      if (message?._tag !== "Request") return
      methods.push(message.method)
      const status = statuses[message.method]
      if (status !== undefined) socket.send(respond(message, status), port, "127.0.0.1")
    })
    return { port: socket.address().port, methods }
  })

/** Time after which a registration is in doubt, with some to spare. */
const fresh = "10500 millis"

describe("a registered line", () => {
  live("registers again at once when its connection breaks", () =>
    Effect.gen(function*() {
      const sockets: Array<Socket> = []
      let registers = 0
      const listener = yield* Effect.acquireRelease(
        Effect.async<ReturnType<typeof createServer>>((resume) => {
          const listener = createServer((socket) => {
            const framer = makeMessageFramer()
            sockets.push(socket)
            socket.on("error", () => {})
            socket.on("data", (chunk) => {
              for (const framed of framer.push(chunk)) {
                if (framed._tag !== "Message" || framed.message._tag !== "Request") continue
                registers += 1
                socket.write(respond(framed.message, 200))
              }
            })
          }).listen(0, "127.0.0.1", () => resume(Effect.succeed(listener)))
        }),
        (listener) =>
          Effect.sync(() => {
            sockets.forEach((socket) => socket.destroy())
            listener.close()
          })
      )
      const address = listener.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      yield* carrierOf(lineTo(port, { server: `sip:127.0.0.1:${port};transport=tcp`, register: { ping_seconds: 0 } }))
      yield* until(() => registers === 1)
      for (const count of [2, 3]) {
        sockets.at(-1)?.destroy()
        yield* until(() => registers === count)
      }
      assert.lengthOf(sockets, 3)
    }))

  for (const status of [403, 404]) {
    live(`registers again when its server refuses a call with ${status}`, () =>
      Effect.gen(function*() {
        const { methods, port } = yield* server({ REGISTER: 200, INVITE: status })
        const line = lineTo(port, { register: { ping_seconds: 0, keep_alive_seconds: 0 } })
        const carrier = yield* carrierOf(line)
        yield* until(() => methods.length === 1)
        yield* Effect.sleep(fresh)
        yield* Effect.ignore(Effect.flatMap(carrier.place(planFor(line)), ({ answer }) => answer))
        yield* until(() => methods.filter((method) => method === "REGISTER").length === 2)
      }))
  }

  live("registers again when OPTIONS stay unanswered, and not while any answer comes", () =>
    Effect.gen(function*() {
      const options = { register: { ping_seconds: 6, keep_alive_seconds: 0 } }
      const [dead, alive] = [yield* server({ REGISTER: 200 }), yield* server({ REGISTER: 200, OPTIONS: 405 })]
      yield* carrierOf(lineTo(dead.port, options))
      yield* carrierOf(lineTo(alive.port, options))
      yield* until(() => dead.methods.filter((method) => method === "REGISTER").length === 2)
      assert.deepStrictEqual(alive.methods.slice(0, 2), ["REGISTER", "OPTIONS"])
      assert.lengthOf(alive.methods.filter((method) => method === "REGISTER"), 1)
    }))

  live("tells whether it is registered, and why not", () =>
    Effect.gen(function*() {
      const [good, bad] = [yield* server({ REGISTER: 200, OPTIONS: 200 }), yield* server({ REGISTER: 403 })]
      const stateOf = (port: number) =>
        Effect.gen(function*() {
          const line = lineTo(port, { register: { ping_seconds: 1, keep_alive_seconds: 0 } })
          const state = (yield* carrierOf(line)).lineState?.(line)
          return state ?? (yield* Effect.dieMessage("The carrier tells no state"))
        })
      const [atGood, atBad] = [yield* stateOf(good.port), yield* stateOf(bad.port)]
      const reports = Effect.all([atGood, atBad])
      const isTold = Effect.map(reports, (states) => states.every(({ reachable }) => reachable !== null))
      yield* Effect.repeat(Effect.delay(isTold, "50 millis"), { until: (done) => done })
      const [registered, refused] = yield* reports
      assert.strictEqual(registered.registration?.status, "registered")
      assert.isAbove(registered.registration?.registered_until ?? 0, Date.now())
      assert.deepInclude(registered, { reachable: true, last_failure: null })
      assert.deepStrictEqual(refused.registration, { status: "failed", registered_until: null })
      assert.strictEqual(refused.last_failure?.reason, "the registrar refused with 403")
    }))

  live("tells after a call that its server is silent", () =>
    Effect.gen(function*() {
      const { port } = yield* server({})
      const line = connectionTo(port)
      const carrier = yield* carrierOf(line)
      yield* Effect.ignore(carrier.place(planFor(line)))
      assert.deepInclude(carrier.lineState === undefined ? null : yield* carrier.lineState(line), {
        registration: null,
        reachable: false
      })
    }))
})
