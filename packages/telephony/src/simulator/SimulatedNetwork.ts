import { type AttemptId, BusinessTime, type PhoneNumber } from "@trunkline/kernel"
import { Context, Deferred, Duration, Effect, Layer, Queue, Stream } from "effect"
import type { EndedBy } from "../call/Leg.js"
import {
  type Carrier,
  Carriers,
  type Dedupe,
  DialFailed,
  type DialPlan,
  type InboundOffer,
  LookupFailed,
  type PlacedCall
} from "../carriers/Carrier.js"
import type { Connection } from "../carriers/Connection.js"
import { type Callee, calleeFor, reactionOf } from "./Callee.js"
import { makeSimulatedCall, type SimulatedCall, SimulatedCallLog, type SimulatedStage } from "./SimulatedCall.js"
import { makeReferral } from "./SimulatedReferral.js"
import { serverError, type SimulatorOptions, tooManyRequests } from "./SimulatorOptions.js"

/** Result of an inbound call. */
export type CallInResult =
  | { readonly accepted: true; readonly endedBy: EndedBy }
  | { readonly accepted: false; readonly reason: string }

/** A call to one of our numbers, and the person who calls. */
export interface CallIn {
  readonly connection: Connection
  readonly from: PhoneNumber
  readonly to: PhoneNumber
  /** `answer` by default. */
  readonly callee?: Callee
}

/** Outcome of the offer of an inbound call. `attempt_id` is null for a number without a deployment. */
export type OfferedCall =
  | { readonly accepted: true; readonly attempt_id: AttemptId | null; readonly ended: Effect.Effect<EndedBy> }
  | { readonly accepted: false; readonly attempt_id: AttemptId | null; readonly reason: string }

/** A call on the network, for inspection. */
export interface NetworkCall {
  readonly provider_call_id: string
  /** Null for inbound calls. */
  readonly attempt_id: AttemptId | null
  readonly to: PhoneNumber
  /** Epoch milliseconds of business time. */
  readonly taken_at: number
  readonly stage: SimulatedStage
  /** Keys that the agent has sent. */
  readonly keys: string
}

/**
 * An in-memory phone network with scripted callees, at the pace of BusinessTime. It is a regular carrier (`provider`
 * `simulator`) for outbound and inbound calls. Its calls are independent of the engine: a second engine on the same
 * network still finds the calls of the first one.
 */
export class SimulatedNetwork extends Context.Tag("@trunkline/telephony/SimulatedNetwork")<SimulatedNetwork, {
  readonly carrier: Carrier
  /** Calls one of our numbers; completes when the call has ended. */
  readonly callIn: (call: CallIn) => Effect.Effect<CallInResult>
  /** Calls one of our numbers; completes when the call is accepted or rejected. */
  readonly offer: (call: CallIn) => Effect.Effect<OfferedCall>
  /** Makes the callee of a connected call hang up; does nothing when the call is not connected. */
  readonly hangUp: (providerCallId: string) => Effect.Effect<void>
  /** The calls of the last day, in order of their dials. An attempt that occurs twice was dialled twice. */
  readonly calls: Effect.Effect<ReadonlyArray<NetworkCall>>
}>() {
  /** Makes a network to be shared by several engines. */
  static readonly make = (options: SimulatorOptions = {}): Effect.Effect<typeof SimulatedNetwork.Service> =>
    makeNetwork(options)

  /** The network without registering its carrier. */
  static readonly layer = (options: SimulatorOptions = {}) => Layer.effect(SimulatedNetwork, makeNetwork(options))

  /** A new network, registered as the only carrier. */
  static readonly layerCarriers = (options: SimulatorOptions = {}) =>
    Layer.provideMerge(carrierOfNetwork(), SimulatedNetwork.layer(options))

  /** An existing network, registered as the only carrier. */
  static readonly layerOf = (network: typeof SimulatedNetwork.Service) =>
    Layer.provideMerge(carrierOfNetwork(), Layer.succeed(SimulatedNetwork, network))
}

/** A new layer on each call, because layers are memoized by reference. */
const carrierOfNetwork = () =>
  Layer.unwrapEffect(Effect.map(SimulatedNetwork, (network) => Carriers.layerOf([network.carrier])))

const makeNetwork = (options: SimulatorOptions) =>
  Effect.gen(function*() {
    const {
      dedupe = keyForOneDay,
      unreachable = Effect.succeed(false),
      visibleAfter = Duration.zero,
      visibleByIdAfter = Duration.zero
    } = options
    const log = new SimulatedCallLog()
    const offers = yield* Queue.unbounded<InboundOffer>()

    const reactionTo = (to: string) => reactionOf(calleeFor(options.rules ?? [], options.default ?? "answer", to), to)

    const refer = options.refers === false ? undefined : makeReferral(reactionTo)

    /** Accepts a call as of `taken_at`, which may be in the future, or refuses it. */
    const take = ({ address, attempt_id, connection, ringTimeout, to }: DialPlan, taken_at: number) =>
      Effect.suspend((): Effect.Effect<PlacedCall, DialFailed> => {
        const reaction = reactionTo(address ?? to)
        if (reaction._tag === "Refused") {
          return Effect.fail(new DialFailed({ certainty: "provider", reason: reaction.reason }))
        }
        const call = makeSimulatedCall({
          provider_call_id: log.nextId(attempt_id),
          attempt_id,
          connection_id: connection.connection_id,
          to,
          taken_at,
          ringsFor: Duration.toMillis(ringTimeout),
          reaction,
          refer
        })
        log.add(call)
        return Effect.succeed(call.placedCall)
      })

    const place = (plan: DialPlan): Effect.Effect<PlacedCall, DialFailed> =>
      Effect.gen(function*() {
        const now = yield* BusinessTime.now
        const fault = options.fault === undefined ? null : yield* options.fault(plan)
        if (fault?._tag === "Refused") return yield* tooManyRequests
        if (fault?._tag === "FailedBefore") return yield* serverError
        const repeatedCall = dedupe._tag === "Key"
          ? log.ofAttempt(plan.attempt_id).find(({ setup }) => now < setup.taken_at + Duration.toMillis(dedupe.ttl))
          : undefined
        const after = fault?._tag === "Late" ? Duration.toMillis(fault.after) : 0
        const call = repeatedCall?.placedCall ?? (yield* take(plan, now + after))
        if (fault?._tag === "Lost") return yield* Effect.never
        return fault === null ? call : yield* serverError
      })

    /** Fails while the provider is unreachable. */
    const whenReachable = <A>(answer: Effect.Effect<A>): Effect.Effect<A, LookupFailed> =>
      Effect.flatMap(unreachable, (isUnreachable) =>
        isUnreachable ? Effect.fail(new LookupFailed({ reason: "simulator: down" })) : answer)

    const visibleAt = ({ setup }: SimulatedCall, now: number) =>
      setup.taken_at + Duration.toMillis(visibleAfter) <= now

    const visibleById = (call: SimulatedCall | undefined, now: number) =>
      call !== undefined && call.setup.taken_at + Duration.toMillis(visibleByIdAfter) <= now ? call : undefined

    const canFind = dedupe._tag === "Lookup" || (dedupe._tag === "Key" && dedupe.settle !== undefined)

    const carrier: Carrier = {
      provider: "simulator",
      protocol: "simulated",
      dialsAddresses: true,
      dedupe: () => dedupe,
      place,
      lookup: ({ attempt_id, provider_call_id }) =>
        whenReachable(Effect.gen(function*() {
          const now = yield* BusinessTime.now
          const call = provider_call_id !== null
            ? visibleById(log.find(provider_call_id), now)
            : canFind
            ? log.ofAttempt(attempt_id).find((call) => visibleAt(call, now))
            : undefined
          return call === undefined ? { _tag: "NotFound" } as const : yield* call.sight
        })),
      live: (connection) =>
        whenReachable(Effect.gen(function*() {
          const now = yield* BusinessTime.now
          const theirs = log.recent().filter((call) =>
            call.setup.connection_id === connection.connection_id && call.setup.taken_at <= now
          )
          const stages = yield* Effect.forEach(theirs, ({ stage }) => stage)
          return theirs.flatMap(({ setup: { attempt_id, provider_call_id, taken_at } }, index) =>
            stages[index]?._tag === "Over" ? [] : [{ provider_call_id, attempt_id, since: taken_at }]
          )
        })),
      end: (_connection, provider_call_id) => log.find(provider_call_id)?.placedCall.cancel ?? Effect.void,
      offers: Stream.fromQueue(offers)
    }

    const offer = (call: CallIn) =>
      Effect.gen(function*() {
        const reaction = reactionOf(call.callee ?? "answer", call.from)
        // A person who does not answer hangs up at once.
        const person = reaction._tag === "Answered" ? reaction.behavior : { hangsUpAfterSeconds: 0, turn: () => null }
        const acceptance = yield* Deferred.make<OfferedCall>()
        const provider_call_id = log.nextId(null)
        let attempt_id: AttemptId | null = null
        yield* Queue.offer(offers, {
          provider_call_id,
          connection: call.connection,
          from: call.from,
          to: call.to,
          onRecord: (attempt) => Effect.sync(() => attempt_id = attempt),
          accept: Effect.gen(function*() {
            const simulatedCall = makeSimulatedCall({
              provider_call_id,
              attempt_id: null,
              connection_id: call.connection.connection_id,
              to: call.to,
              taken_at: yield* BusinessTime.now,
              ringsFor: 0,
              reaction: { _tag: "Answered", afterSeconds: 0, behavior: person },
              refer
            })
            log.add(simulatedCall)
            yield* Deferred.succeed(acceptance, { accepted: true, attempt_id, ended: simulatedCall.ended })
            return yield* simulatedCall.placedCall.answer
          }),
          reject: (reason) => Effect.asVoid(Deferred.succeed(acceptance, { accepted: false, attempt_id, reason }))
        })
        return yield* Deferred.await(acceptance)
      })

    const callIn = (call: CallIn) =>
      Effect.flatMap(
        offer(call),
        (offeredCall): Effect.Effect<CallInResult> =>
          offeredCall.accepted
            // Yields, so that the engine handles the end and frees the line first.
            ? Effect.zipLeft(
              Effect.map(offeredCall.ended, (endedBy) => ({ accepted: true, endedBy })),
              Effect.yieldNow()
            )
            : Effect.succeed({ accepted: false, reason: offeredCall.reason })
      )

    const calls = Effect.suspend(() =>
      Effect.forEach(
        log.recent(),
        ({ keys, setup: { attempt_id, provider_call_id, taken_at, to }, stage }) =>
          Effect.zipWith(
            stage,
            keys,
            (stage, keys): NetworkCall => ({ provider_call_id, attempt_id, to, taken_at, stage, keys })
          )
      )
    )

    const hangUp = (id: string) => log.find(id)?.hangUp ?? Effect.void

    return SimulatedNetwork.of({ carrier, callIn, offer, hangUp, calls })
  })

const keyForOneDay: Dedupe = { _tag: "Key", ttl: Duration.hours(24), settle: Duration.zero }
