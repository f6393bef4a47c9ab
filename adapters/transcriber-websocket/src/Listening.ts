import { makeResampler } from "@trunkline/audio"
import { ModelFailed, ModelTimedOut, ModelUnavailable } from "@trunkline/errors"
import { faultError, passingFaults, type ProviderFault, type UpstreamError } from "@trunkline/http-client"
import { makeCounter } from "@trunkline/kernel"
import type { Listening, SpeechFailure } from "@trunkline/speech"
import { Deferred, Duration, Effect, FiberId, type Scope } from "effect"
import { makeConnection, type TranscriberConnection } from "./Connection.js"
import type { ListenDialect } from "./ListenDialect.js"
import { makePackets } from "./Packets.js"
import { makeRecentSound } from "./RecentSound.js"
import type { CloseFrame, Socket } from "./Socket.js"
import { makeTurn } from "./Turn.js"

/** Settings of a listening. */
export interface ListeningOptions {
  /** Names the server in messages. */
  readonly serverName: string
  readonly dialect: ListenDialect
  /** Sample rate of the caller's sound in hertz. */
  readonly rate: number
  /** Sample rate of the sound sent to the server. */
  readonly sentRate: number
  readonly flushTimeout: Duration.DurationInput
  /** Sound that may wait for the network; more is dropped. */
  readonly maxUnsent: Duration.DurationInput
  /** Opens a connection and sends its first messages. */
  readonly connect: (onMessage: (text: string) => void) => Effect.Effect<Socket, UpstreamError, Scope.Scope>
}

/** Sound that is sent again on a new connection. */
const replay = Duration.seconds(2)

const droppedSound = makeCounter({
  name: "trunkline_listener_dropped_seconds_total",
  help: "Sound of callers that was not sent to a speech-to-text server because the connection was too slow"
})

const ignoredMessages = makeCounter({
  name: "trunkline_listener_ignored_messages_total",
  help: "Malformed or unknown messages of speech-to-text servers"
})

const fail = ({ failure, note }: UpstreamError): Effect.Effect<never, SpeechFailure> =>
  Effect.zipRight(Effect.logDebug(`${failure._tag}: ${note}`), Effect.fail(failure))

const closedFailure = (serverName: string, isRefusal: boolean): SpeechFailure =>
  isRefusal
    ? new ModelFailed({ message: `The ${serverName} does not accept what it was sent` })
    : new ModelUnavailable({ message: `The connection to the ${serverName} broke off again. Try again later.` })

/** Opens a listening: one connection, and a second one if that breaks. It ends with the scope. */
export const openListening = (options: ListeningOptions): Effect.Effect<Listening, SpeechFailure, Scope.Scope> =>
  Effect.gen(function*() {
    const { connect, dialect, flushTimeout, rate, sentRate, serverName } = options
    const samplesIn = (duration: Duration.DurationInput) => Math.round(Duration.toSeconds(duration) * sentRate)
    const maxUnsentBytes = 2 * samplesIn(options.maxUnsent)
    const sound = makeRecentSound(samplesIn(replay))
    const turn = makeTurn()
    let current: { readonly socket: Socket; readonly connection: TranscriberConnection } | null = null
    let ending: Effect.Effect<never, SpeechFailure> | null = null
    let onEnd = () => {}
    /** Fault that the server reported, after which another connection would not help. */
    let reportedText: ProviderFault | null = null
    let hasSent = false
    let overflow = 0
    let unknownCount = 0

    const end = (outcome: Effect.Effect<never, SpeechFailure>) => {
      ending ??= outcome
      turn.end()
      onEnd()
    }

    const accept = (packet: Uint8Array) => {
      hasSent = true
      if (current !== null && current.socket.unsentBytes() + packet.length > maxUnsentBytes) {
        overflow += packet.length / 2
        return
      }
      sound.add(packet)
      current?.connection.sendSound(packet, sound.end())
    }
    const packets = makePackets(samplesIn(dialect.packet), accept)
    const resampler = rate === sentRate ? null : makeResampler({ from: rate, to: sentRate })

    const noteFault = (fault: ProviderFault | null) => {
      if (fault !== null && (!passingFaults.has(fault) || fault === "rateLimited")) reportedText ??= fault
    }

    const receive = (text: string) => {
      if (current === null) {
        // Before the first sound there is nothing to hear, but a refusal may be.
        const early = dialect.read(text)
        if (early?._tag === "Failed") noteFault(early.fault ?? null)
        return
      }
      const message = current.connection.read(text)
      if (message === "notice") return
      if (message === null) unknownCount += 1
      else if ("failed" in message) {
        noteFault(message.failed)
        current.socket.terminate()
      } else turn.hear(message)
    }

    /** Begins to use a socket: sends the sound that is not done yet, and asks again for the words that are awaited. */
    const use = (socket: Socket) => {
      const { from, packets } = sound.since(turn.doneUntil())
      const connection = makeConnection(socket, { begin: from, dialect, rate: sentRate })
      const target = turn.awaited() ?? Infinity
      let position = from
      let hasAsked = false
      const askInTime = () => {
        if (hasAsked || position < target) return
        hasAsked = true
        connection.askFlush(target)
      }
      askInTime()
      for (const packet of packets) {
        position += packet.length / 2
        connection.sendSound(packet, position)
        askInTime()
      }
      current = { socket, connection }
      return socket
    }

    const untilClosed = (socket: Socket): Effect.Effect<CloseFrame> =>
      Effect.tap(socket.closed, () =>
        Effect.sync(() => {
          current = null
        }))

    /** Why a connection that has closed is not replaced; null when it may be. */
    const lastingFailure = (closing: CloseFrame): SpeechFailure | null => {
      noteFault(dialect.closingFault?.(closing) ?? null)
      if (reportedText !== null) return faultError(serverName, reportedText).failure
      return dialect.mayReconnect(closing) ? null : closedFailure(serverName, true)
    }

    /** Connects once more when the connection breaks. */
    const supervise = (first: Socket) =>
      Effect.gen(function*() {
        const closing = yield* untilClosed(first)
        const lasting = lastingFailure(closing)
        if (lasting !== null) return lasting
        yield* Effect.logWarning(`The connection to the ${serverName} broke off (${closing.code}); connecting again`)
        const second = use(yield* Effect.catchAll(connect(receive), fail))
        return lastingFailure(yield* untilClosed(second)) ?? closedFailure(serverName, false)
      }).pipe(
        Effect.merge,
        Effect.map((failure) => end(Effect.fail(failure)))
      )

    const keepAlive = ({ every, message }: NonNullable<ListenDialect["keepAlive"]>) =>
      Effect.forever(Effect.delay(
        Effect.sync(() => {
          if (!hasSent) current?.socket.send(message)
          hasSent = false
        }),
        every
      ))

    const report = Effect.gen(function*() {
      const millis = Math.round(1_000 * overflow / sentRate)
      droppedSound.add(millis / 1_000)
      ignoredMessages.add(unknownCount)
      if (overflow > 0) yield* Effect.logWarning(`${millis} ms of sound were not sent: the ${serverName} was too slow`)
      if (unknownCount > 0) yield* Effect.logWarning(`${unknownCount} messages of the ${serverName} were ignored`)
    })

    yield* Effect.addFinalizer(() => report)
    const first = use(yield* Effect.catchAll(connect(receive), fail))
    yield* Effect.forkScoped(supervise(first))
    if (dialect.keepAlive !== null) yield* Effect.forkScoped(keepAlive(dialect.keepAlive))
    yield* Effect.addFinalizer(() => Effect.sync(() => end(Effect.interrupt)))

    const wordsSoFar = (position: number) =>
      Effect.suspend(() => {
        current?.connection.forget(position)
        const late = turn.take(position)
        return late === ""
          ? new ModelTimedOut({ message: `The ${serverName} did not answer in time` })
          : Effect.succeed(late)
      })

    const flush = Effect.suspend(() => {
      if (ending !== null) return ending
      packets.flush()
      const position = sound.end()
      if (position <= turn.doneUntil()) return Effect.sync(() => turn.take(position))
      // Asks before any fiber can yield, since later sound belongs to the next turn.
      const words = Deferred.unsafeMake<string, SpeechFailure>(FiberId.none)
      if (dialect.flushSilence !== undefined) accept(new Uint8Array(2 * samplesIn(dialect.flushSilence)))
      turn.await(position, (final) => Deferred.unsafeDone(words, Effect.succeed(final)))
      onEnd = () => Deferred.unsafeDone(words, ending ?? Effect.interrupt)
      current?.connection.askFlush(position)
      return Deferred.await(words).pipe(
        Effect.timeoutTo({
          duration: flushTimeout,
          onSuccess: Effect.succeed<string>,
          onTimeout: () => wordsSoFar(position)
        }),
        Effect.flatten,
        // The sound of a flush that failed or was interrupted is not heard in the next turn.
        Effect.onError(() => Effect.sync(() => turn.take(position)))
      )
    })

    return {
      push: (samples) => {
        if (ending === null) packets.push(resampler === null ? samples : resampler.push(samples))
      },
      partials: turn.partials,
      flush: (yield* Effect.makeSemaphore(1)).withPermits(1)(flush)
    }
  })
