import { assert, describe } from "@effect/vitest"
import { header, headers, parseMessage, type SipRequest, writeMessage } from "@trunkline/sip"
import { Effect, Either } from "effect"
import { carrierOf, connectionTo, liveTests, until } from "../peers/World.js"
import { openSocket } from "../UdpRelay.js"

const live = liveTests()

/** The response that takes a registration. */
const registered = (request: SipRequest): Uint8Array =>
  writeMessage({
    _tag: "Response",
    status: 200,
    reason: "OK",
    headers: [
      ...headers(request, "via").map((via) => ["via", via] as const),
      ...["from", "to", "call-id", "cseq", "contact"].map((name) => [name, header(request, name) ?? ""] as const)
    ],
    body: new Uint8Array()
  })

describe("a line that registers over UDP", () => {
  live("sends empty lines from its own port, unless it is told not to", () =>
    Effect.gen(function*() {
      const registrar = yield* openSocket()
      const messages = new Map<number, Array<string>>()
      registrar.on("message", (bytes, { port }) => {
        const message = parseMessage(bytes)
        const name = Either.match(message, {
          onLeft: () => JSON.stringify(bytes.toString()),
          onRight: (parsed) => parsed._tag === "Request" ? parsed.method : `${parsed.status}`
        })
        messages.set(port, [...messages.get(port) ?? [], name])
        if (Either.isRight(message) && message.right._tag === "Request") {
          registrar.send(registered(message.right), port, "127.0.0.1")
        }
      })
      const lineWith = (keep_alive_seconds: number, id: string) =>
        connectionTo(registrar.address().port, {
          credentials: { user: "trunk", password_env: "TRUNK_PASSWORD" },
          register: { keep_alive_seconds },
          inbound: { allow: ["127.0.0.1"] }
        }, id)
      const { ports } = yield* carrierOf(lineWith(0.05, "kept"), lineWith(0, "quiet"))
      const [kept = 0, quiet = 0] = ["kept", "quiet"].map((id) => ports.get(id))
      yield* until(() => messages.has(quiet) && (messages.get(kept)?.length ?? 0) >= 4)
      const ping = JSON.stringify("\r\n\r\n")
      assert.deepStrictEqual(messages.get(kept)?.slice(0, 4), ["REGISTER", ping, ping, ping])
      assert.deepStrictEqual(messages.get(quiet), ["REGISTER"])
    }))
})
