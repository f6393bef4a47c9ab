import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { header, makeDigestServer, type SipRequest, type UserAgentOptions } from "@trunkline/sip"
import { Effect, Queue } from "effect"
import { answer, callee, caller, inBackground, invitation, makePair } from "../Agents.js"
import { connectPeer } from "../Peer.js"

const none = { transactions: 0, calls: 0 }

/** Settings of an agent that asks everybody for a password, with the times at which requests come. */
const guarded = (times: ReadonlyArray<number> = []): UserAgentOptions => {
  let salt = 0
  const server = makeDigestServer({
    realm: "trunk",
    key: new Uint8Array(32),
    passwordOf: (username) => username === "trunkline" ? "secret" : null
  })
  return {
    admit: (request) => {
      const now = times[salt] ?? 0
      const verdict = server.verify(request, now)
      if (verdict._tag === "Verified") return { _tag: "Accept" }
      salt++
      const challenges = server.challenge({ now, salt: `${salt}`, stale: verdict.reason === "stale" })
      return { _tag: "Respond", status: 401, headers: challenges.map((value) => ["www-authenticate", value] as const) }
    },
    incoming: (call) => Effect.ignore(call.accept(answer))
  }
}

const credentials = { username: "trunkline", password: "secret" }

describe("a challenged call", () => {
  virtualTest(
    "is placed with the right password, and leaves no state at the side that challenges",
    () =>
      Effect.gen(function*() {
        const { left, namesOf, right } = yield* makePair({ callee: guarded() })
        const outgoing = yield* left.invite({ ...invitation, credentials })
        const call = yield* outgoing.answered
        assert.deepStrictEqual(namesOf(caller), ["INVITE", "ACK", "INVITE", "ACK"])
        yield* call.bye()
        yield* Effect.sleep("33 seconds")
        assert.deepStrictEqual([left.counts(), right.counts()], [none, none])
      })
  )

  virtualTest("is refused after one try with a wrong password, and at once without any", () =>
    Effect.gen(function*() {
      const { left, namesOf, right } = yield* makePair({ callee: guarded() })
      const statusOf = (options: Partial<typeof invitation>) =>
        Effect.flatMap(left.invite({ ...invitation, ...options }), ({ answered }) =>
          Effect.map(Effect.flip(answered), ({ status }) => status))
      assert.strictEqual(yield* statusOf({ credentials: { ...credentials, password: "wrong" } }), 401)
      assert.strictEqual(
        namesOf(caller).filter((name) =>
          name === "INVITE"
        ).length,
        2
      )
      assert.strictEqual(yield* statusOf({}), 401)
      assert.strictEqual(namesOf(caller).filter((name) => name === "INVITE").length, 3)
      assert.strictEqual(right.counts().transactions, 0)
    }))

  virtualTest("is tried again when only the nonce was too old", () =>
    Effect.gen(function*() {
      const { left, namesOf } = yield* makePair({ callee: guarded([0, 400_000, 400_000]) })
      const request = { target: invitation.target, from: invitation.from.uri, credentials }
      assert.strictEqual(yield* left.options(request), 200)
      assert.deepStrictEqual(namesOf(caller), ["OPTIONS", "OPTIONS", "OPTIONS"])
    }))
})

describe("a challenge within a call", () => {
  virtualTest("is answered, and its nonce serves the next requests with a higher count", () =>
    Effect.gen(function*() {
      const { call, peer } = yield* connectPeer({ invitation: { credentials } })
      const pressing = yield* inBackground(call.press("1"))
      const challenge = ["proxy-authenticate", `Digest realm="trunk", nonce="n1", qop="auth"`] as const
      yield* peer.respond(caller, yield* peer.request("INFO"), 407, { headers: [challenge] })
      const second = yield* peer.request("INFO")
      assert.match(header(second, "proxy-authorization") ?? "", /nonce="n1".*nc=00000001/)
      yield* peer.respond(caller, second, 200)
      yield* pressing
      const hangingUp = yield* inBackground(call.bye())
      const bye = yield* peer.request("BYE")
      assert.match(header(bye, "proxy-authorization") ?? "", /nonce="n1".*nc=00000002/)
      yield* peer.respond(caller, bye, 200)
      yield* hangingUp
    }))

  virtualTest("to a re-INVITE is answered too, and the ACK repeats its credentials", () =>
    Effect.gen(function*() {
      const { call, peer } = yield* connectPeer({ invitation: { credentials } })
      const offering = yield* inBackground(call.reinvite("new"))
      const challenge = ["www-authenticate", `Digest realm="trunk", nonce="n2", algorithm=SHA-256`] as const
      yield* peer.respond(caller, yield* peer.request("INVITE"), 401, { headers: [challenge] })
      const second = yield* peer.request("INVITE")
      yield* peer.respond(caller, second, 200, { body: "newer" })
      assert.strictEqual(yield* offering, "newer")
      const ack = yield* peer.request("ACK")
      assert.strictEqual(header(ack, "authorization"), header(second, "authorization"))
      assert.isDefined(header(ack, "authorization"))
    }))
})

describe("admission", () => {
  virtualTest("drops or refuses a request before anything of it is kept", () =>
    Effect.gen(function*() {
      let admitted = 0
      const { incoming, left, right, sent } = yield* makePair({
        callee: {
          admit: (_, { host }) => {
            admitted++
            if (admitted <= 2) return { _tag: "Drop" }
            return host === caller ? { _tag: "Respond", status: 403 } : { _tag: "Accept" }
          }
        }
      })
      const outgoing = yield* left.invite(invitation)
      assert.deepInclude(yield* Effect.flip(outgoing.answered), { kind: "refused", status: 403 })
      assert.strictEqual(sent.filter(({ from }) => from === callee).length, 1)
      assert.deepStrictEqual(right.counts(), none)
      assert.strictEqual(yield* Queue.size(incoming), 0)
      assert.strictEqual(yield* left.options({ target: invitation.target, from: invitation.from.uri }), 403)
    }))

  virtualTest("sees the request of the call that it admits", () =>
    Effect.gen(function*() {
      const admitted: Array<SipRequest> = []
      const { incoming, left } = yield* makePair({
        callee: {
          admit: (request) => {
            admitted.push(request)
            return { _tag: "Accept" }
          }
        }
      })
      yield* left.invite(invitation)
      assert.strictEqual((yield* Queue.take(incoming)).request, admitted[0])
    }))
})
