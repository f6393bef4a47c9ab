import { assert, describe } from "@effect/vitest"
import { type AudioLine, NotAnswered } from "@trunkline/telephony"
import { Effect } from "effect"
import { startBaresip } from "../../src/testing/Baresip.js"
import { combinedFile, makeAuthority } from "../../src/testing/Certificates.js"
import { freePort, hasTools } from "../../src/testing/PeerProcess.js"
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

/** A tone at 8 kHz. */
const tone = (hertz: number, seconds: number) =>
  Float32Array.from({ length: 8_000 * seconds }, (_, at) => 0.3 * Math.sin(2 * Math.PI * hertz * at / 8_000))

/** Share of the energy of some samples at a frequency, by the filter of Goertzel. */
const shareOf = (samples: Float32Array, hertz: number): number => {
  const factor = 2 * Math.cos(2 * Math.PI * hertz / 8_000)
  let [one, two, energy] = [0, 0, 0]
  for (const sample of samples) {
    ;[one, two] = [sample + factor * one - two, one]
    energy += sample * sample
  }
  return energy === 0 ? 0 : 2 * (one * one + two * two - factor * one * two) / (energy * samples.length)
}

const [ours, theirs] = [600, 440]

/** A softphone with TLS and SRTP, and a carrier whose line reaches it. */
const world = ({ account, srtp = "required" }: { readonly account: string; readonly srtp?: string }) =>
  Effect.gen(function*() {
    const authority = yield* makeAuthority
    const files = authority.issue("line", "IP:127.0.0.1")
    const phone = yield* startBaresip({
      sound: tone(theirs, 60),
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
    const heard: Array<Float32Array> = []
    line.hear((event) => {
      if (event._tag === "Frame") heard.push(event.samples.slice())
    })
    line.play(tone(ours, 4))
    const clear = () => heard.filter((frame) => shareOf(frame, theirs) > 0.9).length
    yield* until(() => clear() >= 50)
    yield* Effect.sleep("2 seconds")
  })

/** True when a recording at 8 kHz has a second of a tone. */
const hasTone = (wav: Uint8Array | undefined, hertz: number): boolean => {
  const bytes = Buffer.from(wav ?? []).subarray(44)
  const samples = Float32Array.from({ length: bytes.length >> 1 }, (_, at) => bytes.readInt16LE(2 * at) / 0x8000)
  const frames = Array.from(
    { length: Math.floor(samples.length / 160) },
    (_, at) => samples.subarray(160 * at, 160 * at + 160)
  )
  return frames.filter((frame) => shareOf(frame, hertz) > 0.9).length >= 50
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
        yield* until(() => phone.heard() !== undefined)
        yield* Effect.sleep("500 millis")
        assert.isTrue(hasTone(phone.heard(), ours))
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
        assert.isTrue(hasTone(phone.heard(), ours))
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
