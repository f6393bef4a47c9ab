import { assert, describe } from "@effect/vitest"
import { type Context, Deferred, Effect, Queue, type Scope } from "effect"
import type { Received, SipAddress, SipTransport, TransportProtocol } from "./SipTransport.js"

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

const encode = (text: string) => new TextEncoder().encode(text)
const decode = ({ bytes }: Received) => new TextDecoder().decode(bytes)

/** A message of some bytes that a transport can frame. */
const messageOf = (subject: string, body = ""): string =>
  [
    "OPTIONS sip:someone@example.org SIP/2.0",
    `Subject: ${subject}`,
    `Content-Length: ${body.length}`,
    "",
    body
  ].join("\r\n")

const ignore = () => {}

/** Messages that a transport receives from now on. */
const inbox = (transport: Context.Tag.Service<SipTransport>) =>
  Effect.gen(function*() {
    const messages = yield* Queue.unbounded<Received>()
    yield* transport.listen((received) => void messages.unsafeOffer(received))
    return messages
  })

/**
 * Laws of `SipTransport`: messages arrive byte for byte, with a source to which a response goes back; streams keep order
 * and report that nobody is there; literals are their own addresses. `open` makes a new pair for every test.
 */
export const sipTransportLaws = <E>(
  name: string,
  open: Effect.Effect<TransportPair, E, Scope.Scope>,
  test: DefineTest
): void => {
  const law = (title: string, check: (pair: TransportPair) => Effect.Effect<void, unknown, Scope.Scope>) =>
    test(title, () => Effect.flatMap(open, check))

  describe(`SipTransport laws: ${name}`, () => {
    for (const protocol of ["udp", "tcp"] as const) {
      law(
        `passes a message over ${protocol} as it is, and a response to where it came from`,
        (pair) =>
          Effect.gen(function*() {
            const atLeft = yield* inbox(pair.left)
            const atRight = yield* inbox(pair.right)
            const request = messageOf("café", "a body")
            pair.left.send(encode(request), pair.addressOfRight(protocol), ignore)
            const received = yield* Queue.take(atRight)
            assert.strictEqual(decode(received), request)
            assert.strictEqual(received.source.protocol, protocol)
            pair.right.send(encode(messageOf("back")), received.source, ignore)
            const response = yield* Queue.take(atLeft)
            assert.strictEqual(decode(response), messageOf("back"))
            assert.strictEqual(response.source.host, pair.addressOfRight(protocol).host)
            assert.strictEqual(response.source.port, pair.addressOfRight(protocol).port)
          })
      )

      law(`is reached over ${protocol} at the address that it gives to peers`, (pair) =>
        Effect.gen(function*() {
          const atLeft = yield* inbox(pair.left)
          const local = pair.left.local(pair.addressOfRight(protocol))
          pair.right.send(encode(messageOf("to you")), { protocol, ...local }, ignore)
          assert.strictEqual(decode(yield* Queue.take(atLeft)), messageOf("to you"))
        }))
    }

    law("keeps the order of a stream, also behind a large message", (pair) =>
      Effect.gen(function*() {
        const atRight = yield* inbox(pair.right)
        const sent = Array.from({ length: 50 }, (_, index) => messageOf(`${index}`, "x".repeat(index * 1_000)))
        for (const message of sent) pair.left.send(encode(message), pair.addressOfRight("tcp"), ignore)
        const received = yield* Effect.replicateEffect(Queue.take(atRight), sent.length)
        assert.deepStrictEqual(received.map(decode), sent)
        assert.strictEqual(new Set(received.map(({ source }) => source.connection)).size, 1)
      }))

    law("tells once that nobody listens, and not within the sending", (pair) =>
      Effect.gen(function*() {
        yield* inbox(pair.left)
        const failure = yield* Deferred.make<string>()
        let failures = 0
        pair.left.send(encode(messageOf("nobody")), pair.dead, (reason) => {
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
        yield* Effect.scoped(pair.right.listen((received) => early.push(received)))
        const later = yield* inbox(pair.right)
        pair.left.send(encode(messageOf("late")), pair.addressOfRight("udp"), ignore)
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
