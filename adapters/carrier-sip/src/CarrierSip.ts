import type { Entropy } from "@trunkline/kernel"
import type { IncomingCall } from "@trunkline/sip"
import {
  type CallStatus,
  type Carrier,
  type Connection,
  Connections,
  DialFailed,
  type InboundOffer,
  unknownLineState
} from "@trunkline/telephony"
import { Context, Data, type Duration, Effect, Either, Layer, Queue, type Scope, Stream } from "effect"
import type { CallContext } from "./calls/CallContext.js"
import { placeCall } from "./calls/PlaceCall.js"
import { makeSipCallTable, type SipCallEntry, type SipCallTable } from "./calls/SipCallTable.js"
import { cannotTake, offerCall, refuseCall } from "./calls/TakeCall.js"
import { publishGauges } from "./Gauges.js"
import { linesByAddress, openEndpoint, tlsKey } from "./lines/Endpoint.js"
import { registerLine } from "./lines/Registering.js"
import { callerOf, credentialsOf, dialledOn, type TrunkLine } from "./lines/TrunkLine.js"
import { Media } from "./media/Media.js"
import { failureReason } from "./outcomes/CallOutcomes.js"
import { connectionSettings, type Environment } from "./settings/ConnectionSettings.js"
import { layerMedia } from "./SipMedia.js"
import type { NameServer } from "./transport/Resolver.js"

/** Value of a connection's `provider` for this carrier. */
export const provider = "sip"

/** The lines of a process cannot be opened. */
export class LinesUnusable extends Data.TaggedError("LinesUnusable")<{
  /** One line each, without values of options. */
  readonly problems: ReadonlyArray<string>
}> {
  override get message() {
    return ["The SIP lines cannot be opened:", ...this.problems].join("\n  ")
  }
}

/** A carrier of SIP lines, and what only SIP can do. */
export interface SipCarrier extends Carrier {
  readonly live: NonNullable<Carrier["live"]>
  /** Ports at which the lines listen, by connection: for lines whose options say port 0. */
  readonly ports: ReadonlyMap<string, number>
}

/** Options of the carrier. */
export interface CarrierSipOptions {
  /** Names of servers; by default those that this machine knows. */
  readonly names?: NameServer
  /** Sound of all lines, such as one that several carriers share; by default a thread for each range of ports. */
  readonly media?: typeof Media.Service
  /** Time that a trunk has for its first response; 9 seconds by default, since the engine gives up after 10. */
  readonly responseTimeout?: Duration.DurationInput
}

/** Problems of lines that share an address and not their certificates. */
const differingTls = (group: ReadonlyArray<TrunkLine>): ReadonlyArray<string> => {
  const [first, ...others] = group.filter((line) => tlsKey(line) !== null)
  return others.flatMap((line) =>
    first === undefined || tlsKey(line) === tlsKey(first)
      ? []
      : [
        `${line.connection.connection_id}: options.tls: Differs from that of another line at this address; give it another local.port`
      ]
  )
}

const readLines = (
  connections: ReadonlyArray<Connection>,
  environment: Environment
): Either.Either<ReadonlyArray<TrunkLine>, LinesUnusable> => {
  const read = connections.map((connection) => ({
    connection,
    settings: connectionSettings(connection, environment)
  }))
  const problems = read.flatMap(({ connection, settings }) =>
    Either.isLeft(settings) ? settings.left.map((problem) => `${connection.connection_id}: ${problem}`) : []
  )
  const lines = read.flatMap(({ connection, settings }) =>
    Either.isRight(settings) ? [{ connection, settings: settings.right }] : []
  )
  const differing = linesByAddress(lines).flatMap((group) =>
    group.slice(1).flatMap(({ connection, settings }) =>
      settings.options.advertised_address === group[0]?.settings.options.advertised_address
        ? []
        : [`${connection.connection_id}: options.advertised_address: Differs from that of another line at this address`]
    ).concat(differingTls(group))
  )
  return problems.length + differing.length > 0
    ? Either.left(new LinesUnusable({ problems: [...problems, ...differing] }))
    : Either.right(lines)
}

const notFound: CallStatus = { _tag: "NotFound" }

const statusOf = (record: SipCallEntry | undefined): CallStatus => {
  if (record === undefined) return notFound
  const { call, provider_call_id, stage } = record
  return stage._tag === "Over"
    ? { _tag: "Over", provider_call_id, result: stage.result }
    : { _tag: "Live", call, connected: stage._tag === "Talking" }
}

/**
 * Makes the carrier of all connections with the provider `sip`: it opens their sockets, registers those that ask for it, and
 * takes and places their calls. `environment` holds the variables that their options refer to, usually `process.env`.
 * Fails with `LinesUnusable`, with a line for each mistake. When the scope closes, every call is hung up.
 */
export const make = (
  environment: Environment,
  { media, names, responseTimeout = "9 seconds" }: CarrierSipOptions = {}
): Effect.Effect<SipCarrier, LinesUnusable, Connections | Entropy | Scope.Scope> =>
  Effect.gen(function*() {
    const connections = (yield* (yield* Connections).list).filter((connection) => connection.provider === provider)
    const lines = yield* readLines(connections, environment)
    const records = makeSipCallTable()
    const offers = yield* Queue.unbounded<InboundOffer>()
    const contexts = yield* openLines(lines, { media, names, offers, records, responseTimeout })

    return {
      provider,
      protocol: "sip",
      inProcess: true,
      takesTurns: true,
      dialsAddresses: true,
      dedupe: () => ({ _tag: "None" }),
      place: (plan) => {
        const context = contexts.get(plan.connection.connection_id)
        return context === undefined
          ? new DialFailed({ certainty: "provider", reason: failureReason("the connection is not open") })
          : placeCall(context, plan)
      },
      lookup: ({ attempt_id, connection, provider_call_id }) =>
        Effect.sync(() => {
          const record = records.find(provider_call_id ?? `${connection.connection_id}:${attempt_id}`)
          return statusOf(record?.connection_id === connection.connection_id ? record : undefined)
        }),
      lineState: ({ connection_id }) =>
        Effect.suspend(() => {
          const context = contexts.get(connection_id)
          return context === undefined ? Effect.succeed(unknownLineState) : lineStateOf(context)
        }),
      live: ({ connection_id }) => Effect.sync(() => records.live(connection_id)),
      end: ({ connection_id }, id) =>
        Effect.suspend(() => {
          const record = records.find(id)
          return record === undefined || record.connection_id !== connection_id || record.stage._tag === "Over"
            ? Effect.void
            : record.call.cancel
        }),
      release: ({ connection_id }, signalling) =>
        Effect.suspend(() => {
          const context = contexts.get(connection_id)
          return context === undefined
            ? Effect.void
            : context.agent.release(signalling, credentialsOf(context.line) ?? undefined)
        }),
      offers: Stream.fromQueue(offers),
      ports: new Map([...contexts].map(([id, { sockets }]) => [id, sockets.port]))
    }
  })

const lineStateOf = ({ media, state }: CallContext) =>
  Effect.map(state.current, (state) => ({ ...state, lateness_millis: media.gauges().latenessMillis }))

/** Opens the media and the sockets of lines, as far as there are any. */
const openLines = (
  lines: ReadonlyArray<TrunkLine>,
  { media: shared, names, offers, records, responseTimeout }: {
    readonly media: typeof Media.Service | undefined
    readonly names: NameServer | undefined
    readonly offers: Queue.Enqueue<InboundOffer>
    readonly records: SipCallTable
    readonly responseTimeout: Duration.DurationInput
  }
) =>
  Effect.gen(function*() {
    const contexts = new Map<string, CallContext>()
    const scope = yield* Effect.scope
    const medias = new Map<string, typeof Media.Service>()

    /** The media of a line's range of ports. */
    const mediaOf = ({ settings: { options: { rtp_ports } } }: TrunkLine) =>
      Effect.gen(function*() {
        const key = `${rtp_ports.from} ${rtp_ports.to}`
        const existing = shared ?? medias.get(key)
        if (existing !== undefined) return existing
        const media = Context.get(yield* Layer.build(layerMedia({ ports: rtp_ports })), Media)
        medias.set(key, media)
        return media
      })

    const incoming = (call: IncomingCall, candidates: ReadonlyArray<TrunkLine>) =>
      Effect.gen(function*() {
        const matches = candidates.flatMap((line) => {
          const to = dialledOn(line, call.request)
          const context = contexts.get(line.connection.connection_id)
          return to === null || context === undefined ? [] : [{ to, context }]
        })[0]
        if (matches === undefined) return yield* refuseCall(call, "no_deployment")
        const { context, to } = matches
        const obstacle = cannotTake(context, call)
        if (obstacle !== null) return yield* refuseCall(call, obstacle)
        const from = callerOf(context.line, call.request, call.source.host)
        const { end, offer } = yield* offerCall(context, call, { from, to })
        yield* Queue.offer(offers, offer)
        yield* end
      })

    for (const group of linesByAddress(lines)) {
      const [first] = group
      if (first === undefined) continue
      const { advertised_address, local: { address, port } } = first.settings.options
      const endpoint = yield* Effect.mapError(
        openEndpoint(group, { address, port, advertised: advertised_address, ...(names && { names }), incoming }),
        ({ message }) => new LinesUnusable({ problems: [message] })
      )
      for (const line of group) {
        const media = yield* mediaOf(line)
        const { registration, state } = yield* registerLine(endpoint, line)
        contexts.set(line.connection.connection_id, {
          ...endpoint,
          line,
          registration,
          state,
          media,
          records,
          responseTimeout,
          scope,
          isOverloaded: () => media.gauges().lastingLatenessMillis > line.settings.options.max_lateness_millis
        })
      }
    }
    if (lines.length > 0) yield* publishGauges(shared === undefined ? [...medias.values()] : [shared])
    return contexts
  })
