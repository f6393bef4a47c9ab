import { it } from "@effect/vitest"
import { CarrierSip, layerMedia, Media } from "@trunkline/carrier-sip"
import { AttemptId, ConnectionId, Entropy, PhoneNumber } from "@trunkline/kernel"
import {
  type AudioLine,
  Connection,
  Connections,
  type DialPlan,
  type InboundOffer,
  isAudioLine,
  type Leg
} from "@trunkline/telephony"
import {
  Deferred,
  Duration,
  Effect,
  FiberId,
  Layer,
  Logger,
  LogLevel,
  ManagedRuntime,
  type Scope,
  Stream
} from "effect"
import { randomBytes } from "node:crypto"
import { afterAll } from "vitest"
import { untilOnTime } from "../../../../test/setup/OnTime.js"

export const ourNumber = PhoneNumber.make("+911140000001")
export const theirNumber = PhoneNumber.make("+919876543210")

/** Variables that connections of tests refer to. */
export const environment = { TRUNK_PASSWORD: "trunk-secret", PHONE_PASSWORD: "phone-secret" }

const entropy = Layer.succeed(Entropy, { bytes: (count) => Effect.sync(() => new Uint8Array(randomBytes(count))) })

/** A connection on loopback that sends its calls to a port however busy the machine is, with further options. */
export const connectionTo = (port: number, options: Readonly<Record<string, unknown>> = {}, id = "line-1") =>
  new Connection({
    connection_id: ConnectionId.make(id),
    provider: "sip",
    phone_numbers: [ourNumber],
    options: {
      server: `sip:127.0.0.1:${port}`,
      local: { address: "127.0.0.1", port: 0 },
      max_lateness_millis: 10_000,
      ...options
    }
  })

/** Starts a media thread for all tests of a file, which need not wait for one each, and ends it after them. */
export const shareMedia = (): Layer.Layer<Media> => {
  const runtime = ManagedRuntime.make(layerMedia({ ports: { from: 20_000, to: 59_999 } }))
  afterAll(() => runtime.dispose())
  return Layer.effect(Media, Effect.provide(Media, runtime))
}

/** A test in real time with sound, which judges the product on a machine that keeps the pace only. */
export type LiveTest = (name: string, test: () => Effect.Effect<unknown, unknown, Scope.Scope | Media>) => void

/** Defines tests in real time that share a media thread. */
export const liveTestsWith = (media: Layer.Layer<Media, unknown>): LiveTest => (name, test) =>
  it.scopedLive(name, (context) =>
    Effect.gen(function*() {
      const { gauges } = yield* Media
      // A test may have a network that loses packets, so that only lateness tells of the machine.
      const pace = Effect.sync(() => ({ latenessMillis: gauges().latenessMillis, concealedFrames: 0 }))
      yield* untilOnTime(context, test(), pace)
    }).pipe(Effect.provide(media)))

/** Defines tests in real time, which share the media thread of their file. */
export const liveTests = (): LiveTest => liveTestsWith(shareMedia())

/**
 * The carrier of some connections, until the scope closes. Its log is left out, and it waits only 1 s for a trunk.
 */
export const carrierOf = (...connections: ReadonlyArray<Connection>) =>
  Effect.flatMap(
    Media,
    (media) => CarrierSip.make(environment, { media, responseTimeout: "1 second" })
  ).pipe(
    Effect.provide(Layer.mergeAll(
      Connections.layerOf(connections),
      entropy,
      Logger.minimumLogLevel(LogLevel.None)
    ))
  )

let attempts = 0

/** A plan to dial a number, for a new attempt. */
export const planFor = (connection: Connection, to = theirNumber, ringSeconds = 40): DialPlan => ({
  attempt_id: AttemptId.make(`0199aaaa-0000-7000-8000-${String(++attempts).padStart(12, "0")}`),
  connection,
  from: ourNumber,
  to,
  ringTimeout: Duration.seconds(ringSeconds)
})

/** Handles each call that comes in, until the scope closes. */
export const answering = (
  { offers }: { readonly offers: Stream.Stream<InboundOffer> },
  handle: (offer: InboundOffer) => Effect.Effect<unknown, unknown, Scope.Scope>
) => Effect.forkScoped(Stream.runForEach(offers, (offer) => Effect.forkScoped(Effect.ignore(handle(offer)))))

/** A line with sound, of an answered call. */
export const lineOf = (answered: Leg | AudioLine): AudioLine => {
  if (!isAudioLine(answered)) throw new Error("The call has no sound")
  return answered
}

/** All events of a line from now on but frames, as text; and its end. */
export const watch = (line: AudioLine): { readonly events: Array<string>; readonly ended: Effect.Effect<string> } => {
  const events: Array<string> = []
  const over = Deferred.unsafeMake<string>(FiberId.none)
  line.hear((event) => {
    if (event._tag === "Frame") return
    const text = event._tag === "Pressed"
      ? `Pressed ${event.digit}`
      : event._tag === "Held"
      ? `Held ${event.on}`
      : event._tag === "Reached"
      ? `Reached ${event.mark}`
      : event._tag === "AnsweredBy"
      ? `AnsweredBy ${event.answered_by}`
      : `Ended ${event.by}`
    events.push(text)
    if (event._tag === "Ended") Deferred.unsafeDone(over, Effect.succeed(event.by))
  })
  return { events, ended: Deferred.await(over) }
}

/** Waits until something holds. */
export const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => holds() ? Effect.void : Effect.delay(until(holds), "10 millis"))
