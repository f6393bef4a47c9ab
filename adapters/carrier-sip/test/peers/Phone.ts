import { Entropy } from "@trunkline/kernel"
import {
  header,
  type IncomingCall,
  makeOffer,
  makeUserAgent,
  parseUri,
  type SipCall,
  SipTransport,
  type Uri
} from "@trunkline/sip"
import type { AudioCall } from "@trunkline/telephony"
import { Deferred, Effect, Either, ExecutionStrategy, Exit, Layer, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { makeCallSound } from "../../src/calls/CallSound.js"
import { Media, type MediaSession } from "../../src/media/Media.js"
import { openSipSockets } from "../../src/transport/SipSockets.js"
import { openRelay, type RelayFaults } from "../UdpRelay.js"

/** The caller's side of a call with sound. */
type Caller = AudioCall["caller"]

/** Reaction of a phone to a call. */
export type Reaction = (call: IncomingCall) => Effect.Effect<void, unknown, Scope.Scope>

/** Networks between a phone and who calls it; none by default. */
export interface PhoneNetworks {
  readonly signalling?: RelayFaults
  /** Network of the sound of each call. */
  readonly media?: RelayFaults
}

/** A phone, or the numbers behind a trunk, made of our own parts: user agent and media. */
export interface Phone {
  /** Port at which it is reached, through its network if it has one. */
  readonly port: number
  /** Answers a call with sound; completes with its side of the call. */
  readonly answer: (call: IncomingCall) => Effect.Effect<Caller, unknown, Scope.Scope>
  /** INVITEs that arrived, by Call-ID. */
  readonly invites: ReadonlyMap<string, number>
  /** Calls that were answered, by Call-ID. */
  readonly answered: ReadonlyMap<string, Caller>
  /** Loses everything that it sends, or does so no more. */
  readonly mute: (on: boolean) => void
}

const entropy = Layer.succeed(Entropy, { bytes: (count) => Effect.sync(() => new Uint8Array(randomBytes(count))) })

const userOf = (uri: Uri): string => uri._tag === "SipUri" ? uri.user ?? "" : ""

/** The number that a call dials. */
export const dialled = ({ request }: IncomingCall): string =>
  Either.match(parseUri(request.uri), { onLeft: () => "", onRight: userOf })

const callerOf = (call: SipCall, session: MediaSession): Effect.Effect<Caller, never, Scope.Scope> =>
  Effect.gen(function*() {
    const over = yield* Deferred.make<"user" | "agent">()
    const frames: Array<Float32Array> = []
    let keys = ""
    session.hear((event) => {
      if (event._tag === "Frame") frames.push(event.samples.slice())
      if (event._tag === "Pressed") keys += event.digit
    })
    yield* Effect.forkScoped(
      Effect.flatMap(call.ended, ({ by }) => Deferred.succeed(over, by === "local" ? "user" : "agent"))
    )
    const local = { sessionId: 7, address: "127.0.0.1", port: session.local.port }
    const run = yield* Effect.runtime()
    const offer = (direction: "sendonly" | "sendrecv") => makeOffer({ ...local, direction }, null).text
    return {
      say: (samples) => session.play(samples),
      press: (digit) => Effect.runFork(session.press(digit), {}),
      hold: (on) => {
        Effect.runFork(Effect.ignore(Effect.provide(call.reinvite(offer(on ? "sendonly" : "sendrecv")), run)))
      },
      hangUp: call.bye(),
      recording: () => {
        const samples = new Float32Array(frames.reduce((sum, { length }) => sum + length, 0))
        let at = 0
        for (const frame of frames) {
          samples.set(frame, at)
          at += frame.length
        }
        return samples
      },
      keys: () => keys,
      ended: Deferred.await(over)
    }
  })

/** True for a 100, which a peer that refuses at once does not send. */
const isTrying = (bytes: Uint8Array): boolean => Buffer.from(bytes).subarray(0, 12).toString() === "SIP/2.0 100 "

/** A session whose packets pass a network in both directions. */
const through = (session: MediaSession, faults: RelayFaults): Effect.Effect<MediaSession, never, Scope.Scope> =>
  Effect.map(openRelay(faults), (relay) => {
    relay.to(session.local.port)
    return {
      ...session,
      local: { ...session.local, port: relay.port },
      negotiate: (description) => session.negotiate({ ...description, remotePort: relay.port })
    }
  })

/** Opens a phone on a port of 127.0.0.1 that reacts to each call, until the scope closes. */
export const openPhone = (
  react: (phone: Phone) => Reaction,
  networks: PhoneNetworks = {}
): Effect.Effect<Phone, unknown, Scope.Scope | Media> =>
  Effect.gen(function*() {
    const media = yield* Media
    const scope = yield* Effect.scope
    const sockets = yield* openSipSockets({ address: "127.0.0.1", port: 0 })
    const relay = networks.signalling === undefined ? null : yield* openRelay(networks.signalling)
    relay?.to(sockets.port)
    const port = relay?.port ?? sockets.port
    const invites = new Map<string, number>()
    const answered = new Map<string, Caller>()
    let isMute = false

    const answer = (call: IncomingCall) =>
      Effect.gen(function*() {
        const opened = yield* media.open({ address: "127.0.0.1", family: 4 })
        const session = networks.media === undefined ? opened : yield* through(opened, networks.media)
        const sound = makeCallSound(session, {
          address: "127.0.0.1",
          codecs: ["PCMU", "PCMA"],
          natLatch: false,
          sessionId: 7
        })
        const sdp = yield* sound.answer(call.offer ?? "")
        const caller = yield* callerOf(
          yield* call.accept(sdp, { handlers: { reoffer: (offer) => Effect.orDie(sound.answer(offer ?? "")) } }),
          session
        )
        answered.set(call.callId, caller)
        return caller
      })

    const phone: Phone = {
      port,
      answer,
      invites,
      answered,
      mute: (on) => {
        isMute = on
      }
    }
    yield* makeUserAgent({
      incoming: (call) =>
        Effect.gen(function*() {
          const id = header(call.request, "call-id") ?? ""
          invites.set(id, (invites.get(id) ?? 0) + 1)
          const callScope = yield* Scope.fork(scope, ExecutionStrategy.sequential)
          yield* react(phone)(call).pipe(
            Scope.extend(callScope),
            Effect.zipRight(Effect.never),
            Effect.raceFirst(call.cancelled),
            Effect.ignore
          )
          yield* Scope.close(callScope, Exit.void)
        })
    }).pipe(
      Effect.provideService(SipTransport, {
        ...sockets,
        local: () => ({ host: "127.0.0.1", port }),
        send: (bytes, to, failed) => {
          if (!isMute && !isTrying(bytes)) sockets.send(bytes, relay === null ? to : { ...to, port }, failed)
        }
      }),
      Effect.provide(entropy)
    )
    return phone
  })
