import { type Context, Effect, type Scope, Utils } from "effect"
import { isKeepAlive, parseMessage } from "../message/ParseMessage.js"
import { type Received, type SipAddress, type SipTarget, type SipTransport, Unresolved } from "./SipTransport.js"
import { makeTimers } from "./Timers.js"

/** Conditions of a network in memory. Loss, doubles and reordering concern UDP; TCP is only delayed. */
export interface MemoryNetworkOptions {
  /** The same seed gives the same faults; default 0. */
  readonly seed?: number
  /** Share of datagrams that are lost, from 0 to 1; default 0. */
  readonly loss?: number
  /** Share of datagrams that arrive twice, from 0 to 1; default 0. */
  readonly doubles?: number
  /** Least and greatest delay in milliseconds, evenly spread, so that datagrams overtake each other; default 5 and 5. */
  readonly delay?: readonly [least: number, greatest: number]
  /** Addresses of names. */
  readonly names?: Readonly<Record<string, readonly [SipAddress, ...Array<SipAddress>]>>
}

/** Network in memory that connects the transports of several agents. */
export interface MemoryNetwork {
  /** The transport of a host, which listens on both protocols. Its port defaults to 5060. */
  readonly attach: (host: string, port?: number) => Context.Tag.Service<SipTransport>
  /** Loses everything to and from a host from now on, as if its process had died or its cable were cut; or mends it. */
  readonly cut: (host: string, isCut: boolean) => void
  /** Sees every message as it is sent, also those that are lost. */
  readonly observe: (observer: (from: string, to: SipAddress, bytes: Uint8Array) => void) => void
}

interface Endpoint {
  readonly host: string
  readonly port: number
  readonly listeners: Set<(message: Received) => void>
}

interface Connection {
  readonly id: string
  readonly opener: Endpoint
  readonly acceptor: Endpoint
  /** Port of the opener, as the acceptor sees it. */
  readonly port: number
}

const isLiteral = (host: string) => host.includes(":") || /^[\d.]+$/.test(host)

/** Makes a network in memory. Messages on their way when the scope closes are lost. */
export const makeMemoryNetwork = (
  { delay: [least, greatest] = [5, 5], doubles = 0, loss = 0, names = {}, seed = 0 }: MemoryNetworkOptions = {}
): Effect.Effect<MemoryNetwork, never, Scope.Scope> =>
  Effect.gen(function*() {
    const after = yield* makeTimers
    const clock = yield* Effect.clock
    const random = new Utils.PCGRandom(seed)
    const endpoints = new Map<string, Endpoint>()
    const connections = new Map<string, Connection>()
    const cut = new Set<string>()
    const observers = new Set<(from: string, to: SipAddress, bytes: Uint8Array) => void>()
    /** Times at which the latest messages of streams arrive. */
    const arrivals = new Map<string, number>()

    const isUp = (endpoint: Endpoint) => endpoint.listeners.size > 0 && !cut.has(endpoint.host)
    const draw = () => least + random.number() * (greatest - least)

    const deliver = (millis: number, to: Endpoint, message: Received) =>
      after(millis, () => {
        if (isUp(to)) to.listeners.forEach((listener) => listener(message))
      })

    const sendDatagram = (from: Endpoint, bytes: Uint8Array, { host, port }: SipAddress) => {
      if (isKeepAlive(bytes)) return
      const to = endpoints.get(`${host} ${port}`)
      const copies = random.number() < loss ? 0 : random.number() < doubles ? 2 : 1
      if (to === undefined || cut.has(from.host)) return
      const source: SipAddress = { protocol: "udp", host: from.host, port: from.port }
      for (let copy = 0; copy < copies; copy++) deliver(draw(), to, { message: parseMessage(bytes), source })
    }

    const connectionTo = (from: Endpoint, { connection, host, port }: SipAddress): Connection | undefined => {
      const existing = connection === undefined ? undefined : connections.get(connection)
      if (existing !== undefined) return existing
      const acceptor = endpoints.get(`${host} ${port}`)
      if (acceptor === undefined) return undefined
      const id = `${from.host} ${from.port} ${host} ${port}`
      const openedConnection = connections.get(id) ?? { id, opener: from, acceptor, port: 40_000 + connections.size }
      connections.set(id, openedConnection)
      return openedConnection
    }

    const sendOverStream = (from: Endpoint, bytes: Uint8Array, to: SipAddress, onFailure: (reason: string) => void) => {
      const link = connectionTo(from, to)
      const peer = link?.opener === from ? link.acceptor : link?.opener
      if (link === undefined || peer === undefined || !isUp(peer) || cut.has(from.host)) {
        if (link !== undefined) connections.delete(link.id)
        after(draw(), () => onFailure("connection refused"))
        return
      }
      const now = clock.unsafeCurrentTimeMillis()
      const stream = `${link.id} ${peer === link.acceptor}`
      const arrival = Math.max(now + draw(), arrivals.get(stream) ?? 0)
      arrivals.set(stream, arrival)
      const port = link.opener === from ? link.port : from.port
      deliver(arrival - now, peer, {
        message: parseMessage(bytes),
        source: { protocol: to.protocol, host: from.host, port, connection: link.id }
      })
    }

    const resolve = ({ host, port = 5060, protocol = "udp" }: SipTarget) => {
      if (isLiteral(host)) return Effect.succeed([{ protocol, host, port }] as const)
      const addresses = names[host]
      return addresses === undefined
        ? Effect.fail(new Unresolved({ reason: "no such name" }))
        : Effect.succeed(addresses)
    }

    return {
      attach: (host, port = 5060) => {
        const endpoint: Endpoint = { host, port, listeners: new Set() }
        endpoints.set(`${host} ${port}`, endpoint)
        return {
          listen: (listener) =>
            Effect.acquireRelease(
              Effect.sync(() => endpoint.listeners.add(listener)),
              () => Effect.sync(() => endpoint.listeners.delete(listener))
            ),
          send: (bytes, to, onFailure) => {
            observers.forEach((observer) => observer(host, to, bytes))
            if (to.protocol === "udp") sendDatagram(endpoint, bytes, to)
            else sendOverStream(endpoint, bytes, to, onFailure)
          },
          local: () => ({ host, port }),
          resolve
        }
      },
      cut: (host, isCut) => void (isCut ? cut.add(host) : cut.delete(host)),
      observe: (observer) => void observers.add(observer)
    }
  })
