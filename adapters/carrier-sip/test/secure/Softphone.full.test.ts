import { assert, describe } from "@effect/vitest"
import { type AudioLine, NotAnswered } from "@trunkline/telephony"
import { Effect } from "effect"
import { startBaresip } from "../../src/testing/Baresip.js"
import { combinedFile, makeAuthority } from "../../src/testing/Certificates.js"
import { freePort, hasTools } from "../../src/testing/PeerProcess.js"
import { clearFrames, framesOf, tone } from "../peers/Tones.js"
import {
  answering,
  carrierOf,
  connectionTo,
  lineOf,
  liveTests,
  ourNumber,
  planFor,
  theirNumber,
  until
} from "../peers/World.js"

const live = liveTests()

const [ours, theirs] = [600, 440]

/** A softphone with TLS and SRTP, and a carrier whose line reaches it. */
const world = ({ account, srtp = "required" }: { readonly account: string; readonly srtp?: string }) =>
  Effect.gen(function*() {
    const authority = yield* makeAuthority
    const files = authority.issue("line", "IP:127.0.0.1")
    const phone = yield* startBaresip({
      sound: tone(8_000, theirs, 60),
      account: `;answermode=auto${account}`,
      tls: { certificate: combinedFile(authority.issue("phone", "IP:127.0.0.1")), ca: authority.ca_file }
    })
    const port = yield* freePort(1)
    const connection = connectionTo(phone.port + 1, {
      server: `sip:127.0.0.1:${phone.port + 1};transport=tls`,
      local: { address: "127.0.0.1", port },
      tls: { ca_file: authority.ca_file, ...files },
      inbound: { allow: ["127.0.0.1"], aliases: { desk: ourNumber } },
      // baresip names another address of the machine than the one that it sends from.
      nat_latch: true,
      srtp
    })
    return {
      phone,
      connection,
      carrier: yield* carrierOf(connection),
      ourUri: `sip:desk@127.0.0.1:${port + 1};transport=tls`
    }
  })

/** Plays a tone and hears until a second of the other side's tone has come. */
const exchange = (line: AudioLine) =>
  Effect.gen(function*() {
    const frames: Array<Float32Array> = []
    line.hear((event) => {
      if (event._tag === "Frame") frames.push(event.samples.slice())
    })
    line.play(tone(line.rate, ours, 4))
    yield* until(() => clearFrames(frames, line.rate, theirs) >= 50)
    yield* Effect.sleep("2 seconds")
  })

/** True when a recording has a second of a tone. */
const hasTone = (wav: Uint8Array | undefined, hertz: number): boolean => {
  const { frames, rate } = framesOf(wav)
  return clearFrames(frames, rate, hertz) >= 50
}

describe.skipIf(!hasTools("baresip", "openssl"))("a softphone with TLS and SRTP", () => {
  for (const [account, srtp] of [[";mediaenc=srtp-mand", "required"], [";mediaenc=srtp", "preferred"]] as const) {
    live(`is called, with ${srtp} encryption, and both sides hear each other`, () =>
      Effect.gen(function*() {
        const { carrier, connection, phone } = yield* world({ account, srtp })
        const call = yield* carrier.place(planFor(connection, theirNumber))
        const line = lineOf(yield* call.answer)
        yield* exchange(line)
        yield* line.hangUp
        yield* until(() => phone.heardSound() !== undefined)
        yield* Effect.sleep("500 millis")
        assert.isTrue(hasTone(phone.heardSound(), ours))
        assert.match(phone.output(), /SRTP|srtp/)
      }))

    live(`calls, with ${srtp} encryption, and both sides hear each other`, () =>
      Effect.gen(function*() {
        const { carrier, ourUri, phone } = yield* world({ account, srtp })
        let isOver = false
        yield* answering(carrier, (offer) =>
          Effect.gen(function*() {
            const line = lineOf(yield* offer.accept)
            yield* exchange(line)
            yield* line.hangUp
            isOver = true
          }))
        yield* phone.dial(ourUri)
        yield* until(() => isOver)
        yield* Effect.sleep("500 millis")
        assert.isTrue(hasTone(phone.heardSound(), ours))
      }))
  }

  live("that demands encryption is not talked to without", () =>
    Effect.gen(function*() {
      const { carrier, connection } = yield* world({ account: ";mediaenc=srtp-mand", srtp: "off" })
      const failure = yield* carrier.place(planFor(connection, theirNumber)).pipe(
        Effect.flatMap(({ answer }) => answer),
        Effect.flip
      )
      assert.strictEqual(failure.reason, "sip: rejected_by_provider")
      assert.isTrue(failure instanceof NotAnswered || failure._tag === "DialFailed")
    }))

  live(
    "that has none is talked to where encryption is preferred, and not where it is required",
    () =>
      Effect.gen(function*() {
        const plain = yield* world({ account: "", srtp: "preferred" })
        const call = yield* plain.carrier.place(planFor(plain.connection, theirNumber))
        const line = lineOf(yield* call.answer)
        yield* exchange(line)
        yield* line.hangUp
        const strict = yield* world({ account: "", srtp: "required" })
        const failure = yield* strict.carrier.place(planFor(strict.connection, theirNumber)).pipe(
          Effect.flatMap(({ answer }) => answer),
          Effect.flip
        )
        assert.match(failure.reason ?? "", /^sip: (?:rejected_by_provider|unusable_media)$/)
      })
  )
})
