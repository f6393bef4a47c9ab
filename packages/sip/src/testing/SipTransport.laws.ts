import { assert, describe } from "@effect/vitest"
import { type Context, Deferred, Effect, Either, Queue, type Scope } from "effect"
import type { SipRequest } from "../signalling/message/Message.js"
import { writeMessage } from "../signalling/message/WriteMessage.js"
import type { Received, SipAddress, SipTransport, TransportProtocol } from "../signalling/transport/SipTransport.js"

/** A test of an effect, such as `it.scopedLive` of `@effect/vitest` or `virtualTest` of the kernel. */
export type DefineTest = (name: string, effect: () => Effect.Effect<void, unknown, Scope.Scope>) => void

/** Two transports that reach each other. */
export interface TransportPair {
  readonly left: Context.Tag.Service<SipTransport>
  readonly right: Context.Tag.Service<SipTransport>
  /** Address of the right transport. */
  readonly addressOfRight: (protocol: TransportProtocol) => SipAddress
  /** TCP address at which nobody listens. */
  readonly dead: SipAddress
}

const headers = [
  ["via", "SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1"],
  ["max-forwards", "70"],
  ["from", "<sip:one@example.org>;tag=1"],
  ["to", "<sip:other@example.org>"],
  ["call-id", "1"],
  ["cseq", "1 OPTIONS"]
] as const

const requestOf = (subject: string, body = ""): SipRequest => ({
  _tag: "Request",
  method: "OPTIONS",
  uri: "sip:other@example.org",
  headers: [...headers, ["subject", subject]],
  body: new TextEncoder().encode(body)
})

const encode = (request: SipRequest) => writeMessage(request)

/** The request that was received. */
const decode = ({ message }: Received) => {
  const request = Either.getOrThrow(message)
  return { ...request, headers: request.headers.filter(([name]) => name !== "content-length") }
}

const ignore = () => {}

/** Messages that a transport receives from now on. */
const inbox = (transport: Context.Tag.Service<SipTransport>) =>
  Effect.gen(function*() {
    const messages = yield* Queue.unbounded<Received>()
    yield* transport.listen((arrival) => void messages.unsafeOffer(arrival))
    return messages
  })

/**
 * Laws of `SipTransport`: messages arrive as they were sent, with a source to which a response goes back, and keep-alives are
 * none; streams keep order and report that nobody is there; literals are their own addresses. `open` makes a new pair for every test.
 */
export const sipTransportLaws = <E>(
  name: string,
  open: Effect.Effect<TransportPair, E, Scope.Scope>,
  test: DefineTest,
  streams: ReadonlyArray<Exclude<TransportProtocol, "udp">> = ["tcp"]
): void => {
  const law = (title: string, check: (pair: TransportPair) => Effect.Effect<void, unknown, Scope.Scope>) =>
    test(title, () => Effect.flatMap(open, check))

  describe(`SipTransport laws: ${name}`, () => {
    for (const protocol of ["udp", ...streams] as const) {
      law(
        `passes a message over ${protocol} as it is, and a response to where it came from`,
        (pair) =>
          Effect.gen(function*() {
            const atLeft = yield* inbox(pair.left)
            const atRight = yield* inbox(pair.right)
            const request = requestOf("café", "a body")
            pair.left.send(encode(request), pair.addressOfRight(protocol), ignore)
            const arrival = yield* Queue.take(atRight)
            assert.deepStrictEqual<unknown>(decode(arrival), request)
            assert.strictEqual(arrival.source.protocol, protocol)
            pair.right.send(encode(requestOf("back")), arrival.source, ignore)
            const response = yield* Queue.take(atLeft)
            assert.deepStrictEqual<unknown>(decode(response), requestOf("back"))
            assert.strictEqual(response.source.host, pair.addressOfRight(protocol).host)
            assert.strictEqual(response.source.port, pair.addressOfRight(protocol).port)
          })
      )

      law(`is reached over ${protocol} at the address that it gives to peers`, (pair) =>
        Effect.gen(function*() {
          const atLeft = yield* inbox(pair.left)
          const local = pair.left.local(pair.addressOfRight(protocol))
          pair.right.send(encode(requestOf("to you")), { protocol, ...local }, ignore)
          assert.deepStrictEqual<unknown>(decode(yield* Queue.take(atLeft)), requestOf("to you"))
        }))
    }

    law("does not take keep-alives of datagrams for messages", (pair) =>
      Effect.gen(function*() {
        const atRight = yield* inbox(pair.right)
        pair.left.send(new TextEncoder().encode("\r\n\r\n"), pair.addressOfRight("udp"), ignore)
        pair.left.send(encode(requestOf("after it")), pair.addressOfRight("udp"), ignore)
        assert.deepStrictEqual<unknown>(decode(yield* Queue.take(atRight)), requestOf("after it"))
      }))

    for (const protocol of streams) {
      law(`keeps the order over ${protocol}, also behind a large message`, (pair) =>
        Effect.gen(function*() {
          const atRight = yield* inbox(pair.right)
          const requests = Array.from({ length: 50 }, (_, index) => requestOf(`${index}`, "x".repeat(index * 1_000)))
          for (const message of requests) pair.left.send(encode(message), pair.addressOfRight(protocol), ignore)
          const arrivals = yield* Effect.replicateEffect(Queue.take(atRight), requests.length)
          assert.deepStrictEqual<unknown>(arrivals.map(decode), requests)
          assert.strictEqual(new Set(arrivals.map(({ source }) => source.connection)).size, 1)
        }))
    }

    law("tells once that nobody listens, and not within the sending", (pair) =>
      Effect.gen(function*() {
        yield* Effect.asVoid(inbox(pair.left))
        const failure = yield* Deferred.make<string>()
        let failures = 0
        pair.left.send(encode(requestOf("nobody")), pair.dead, (reason) => {
          failures++
          Deferred.unsafeDone(failure, Effect.succeed(reason))
        })
        assert.strictEqual(failures, 0)
        assert.isNotEmpty(yield* Deferred.await(failure))
        yield* Effect.sleep("50 millis")
        assert.strictEqual(failures, 1)
      }))

    law("receives nothing after its scope has closed", (pair) =>
      Effect.gen(function*() {
        const early: Array<Received> = []
        yield* Effect.scoped(pair.right.listen((arrival) => early.push(arrival)))
        const later = yield* inbox(pair.right)
        pair.left.send(encode(requestOf("late")), pair.addressOfRight("udp"), ignore)
        yield* Queue.take(later)
        assert.deepStrictEqual(early, [])
      }))

    law("takes literals as they are, with the default port and protocol", ({ left }) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* left.resolve({ host: "192.0.2.7" }), [
          { protocol: "udp", host: "192.0.2.7", port: 5060 }
        ])
        assert.deepStrictEqual(yield* left.resolve({ host: "2001:db8::7", port: 5070, protocol: "tcp" }), [
          { protocol: "tcp", host: "2001:db8::7", port: 5070 }
        ])
      }))
  })
}
