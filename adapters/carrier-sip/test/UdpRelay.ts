import { Effect, type Scope } from "effect"
import { createSocket, type Socket } from "node:dgram"

/** Faults of a network: those of the nth packet of a direction are the same for the same seed. */
export interface RelayFaults {
  readonly seed: number
  /** Share of packets that are lost; 0 by default. */
  readonly loss?: number
  /** Share of packets that come twice; 0 by default. */
  readonly doubling?: number
  /** Returns true for a packet that is lost whatever the shares say; none by default. */
  readonly drops?: (bytes: Uint8Array) => boolean
  /** Shortest and longest delay in milliseconds; none by default. Packets overtake each other when they differ. */
  readonly delay?: readonly [shortest: number, longest: number]
}

/** A network between two sides over UDP, for one conversation. */
export interface UdpRelay {
  readonly port: number
  /** Sets where packets of the client go; theirs come back from the port of the relay. */
  readonly to: (port: number) => void
  /** Packets that were passed on, and that were lost. */
  readonly passed: () => number
  readonly lost: () => number
}

/** A source of numbers from 0 up to 1, the same for the same seed (mulberry32). */
export const seeded = (seed: number): () => number => {
  let state = seed
  return () => {
    state = (state + 0x6D2B79F5) | 0
    let mixed = Math.imul(state ^ state >>> 15, 1 | state)
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32
  }
}

/** A UDP socket on the loopback interface, closed with the scope. */
export const openSocket = (port = 0): Effect.Effect<Socket, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() =>
      new Promise<Socket>((resolve, reject) => {
        const socket = createSocket({ type: "udp4", lookup: (host, _options, callback) => callback(null, host, 4) })
        socket.once("error", reject)
        socket.bind(port, "127.0.0.1", () => resolve(socket))
      })
    ),
    (socket) => Effect.promise(() => new Promise<void>((resolve) => socket.close(resolve)))
  )

/**
 * Opens a relay on 127.0.0.1 with the faults of a network in both directions. Its client is whoever else sends to it.
 *
 * @example
 * const relay = yield* openRelay({ seed: 1, loss: 0.1, delay: [0, 60] })
 * relay.to(session.local.port) // and the other side sends to relay.port
 */
export const openRelay = (faults: RelayFaults): Effect.Effect<UdpRelay, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { delay: [shortest, longest] = [0, 0], doubling = 0, drops = () => false, loss = 0, seed } = faults
    const randomness = { there: seeded(seed), back: seeded(seed + 1) }
    const timers = new Set<NodeJS.Timeout>()
    let target = 0
    let client = 0
    let passed = 0
    let lostCount = 0
    const socket = yield* openSocket()
    yield* Effect.addFinalizer(() => Effect.sync(() => timers.forEach(clearTimeout)))

    const pass = (bytes: Uint8Array, port: number, share: number): void => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        passed += 1
        socket.send(bytes, port, "127.0.0.1")
      }, shortest + share * (longest - shortest))
      timers.add(timer)
    }

    socket.on("message", (bytes, { port }) => {
      if (port !== target) client = port
      const to = port === target ? client : target
      if (to === 0) return
      const random = port === target ? randomness.back : randomness.there
      const [isLost, first, isDoubled, second] = [random() < loss, random(), random() < doubling, random()]
      if (isLost || drops(bytes)) {
        lostCount += 1
        return
      }
      pass(bytes, to, first)
      if (isDoubled) pass(bytes, to, second)
    })

    return {
      port: socket.address().port,
      to: (port) => {
        target = port
      },
      passed: () => passed,
      lost: () => lostCount
    }
  })
