import { Clock, Context, DateTime, Effect, Layer, Random, Schema } from "effect"
import { BusinessTime } from "./BusinessTime.js"
import { formatUuidV4, formatUuidV7, initialUuidV7, nextUuidV7 } from "./Uuid.js"

const id = <B extends string>(brand: B) => Schema.String.pipe(Schema.brand(brand))

/** An agent's id, chosen by the embedder (`app_id` on the wire). */
export const AppId = Schema.String.pipe(Schema.pattern(/^[^/]{1,128}$/), Schema.brand("AppId"))
export type AppId = typeof AppId.Type
/** A telephony connection's id, chosen by the embedder. */
export const ConnectionId = Schema.String.pipe(Schema.pattern(/^[^/]{1,128}$/), Schema.brand("ConnectionId"))
export type ConnectionId = typeof ConnectionId.Type
/** `dep-` and 12 hex digits (shapes 0.1). */
export const DeploymentId = id("DeploymentId")
export type DeploymentId = typeof DeploymentId.Type
/** `camp-` and 12 hex digits (shapes 0.1). */
export const CampaignId = id("CampaignId")
export type CampaignId = typeof CampaignId.Type
/** `coh-` and 12 hex digits (shapes 0.1). */
export const CohortId = id("CohortId")
export type CohortId = typeof CohortId.Type
/** A UUIDv7: sortable by time, and the idempotency key of the dial (decisions 13). */
export const AttemptId = id("AttemptId")
export type AttemptId = typeof AttemptId.Type
/** `svc-` and a UUID (specification, Cloned voice). */
export const VoiceId = id("VoiceId")
export type VoiceId = typeof VoiceId.Type
/** `YYYYMMDD-` and a UUIDv7 (shapes 0.1). */
export const InteractionId = id("InteractionId")
export type InteractionId = typeof InteractionId.Type
/** `YYYYMMDD_` and a UUIDv4; also the `x-request-id` header (shapes 0.1). */
export const RequestId = id("RequestId")
export type RequestId = typeof RequestId.Type

/**
 * Makes every identifier of the engine (shapes 0.1). Ids draw on Effect's Random and on time, so that a seeded
 * Random gives the same ids again.
 */
export class Ids extends Context.Tag("@trunkline/kernel/Ids")<Ids, {
  /** `dep-` and 12 hex digits. */
  readonly deploymentId: Effect.Effect<DeploymentId>
  /** `camp-` and 12 hex digits. */
  readonly campaignId: Effect.Effect<CampaignId>
  /** `coh-` and 12 hex digits. */
  readonly cohortId: Effect.Effect<CohortId>
  /** By business time; ids made in the same millisecond sort by their making. */
  readonly attemptId: Effect.Effect<AttemptId>
  /** By business time, its date included; ids made in the same millisecond sort by their making. */
  readonly interactionId: Effect.Effect<InteractionId>
  /** `svc-` and a UUIDv4. */
  readonly voiceId: Effect.Effect<VoiceId>
  /** By Effect's Clock, since requests live in real time. */
  readonly requestId: Effect.Effect<RequestId>
  /** A UUIDv4. */
  readonly uuid: Effect.Effect<string>
}>() {
  /** Ids from the Random of the fiber that asks. */
  static readonly layer: Layer.Layer<Ids> = Layer.sync(Ids, () => idsFrom(Effect.random))

  /** The same ids for the same seed and times, whatever else draws from Random. */
  static readonly layerSeeded = (seed: string | number): Layer.Layer<Ids> =>
    Layer.sync(Ids, () => idsFrom(Effect.succeed(Random.make(seed))))
}

const idsFrom = (source: Effect.Effect<Random.Random>): Context.Tag.Service<Ids> => {
  const bits = (count: number) => Effect.flatMap(source, (random) => random.nextIntBetween(0, 2 ** count))
  const hex12 = Effect.map(bits(48), (value) => value.toString(16).padStart(12, "0"))
  const uuid = Effect.map(Effect.all([bits(48), bits(12), bits(14), bits(48)]), formatUuidV4)

  let last = initialUuidV7
  const uuidV7 = Effect.zipWith(Effect.all([bits(25), bits(48)]), BusinessTime.now, ([start, tail], now) => {
    last = nextUuidV7(last, Math.floor(now), start)
    return { at: last.at, uuid: formatUuidV7(last, tail) }
  })

  return Ids.of({
    deploymentId: Effect.map(hex12, (hex) => DeploymentId.make(`dep-${hex}`)),
    campaignId: Effect.map(hex12, (hex) => CampaignId.make(`camp-${hex}`)),
    cohortId: Effect.map(hex12, (hex) => CohortId.make(`coh-${hex}`)),
    attemptId: Effect.map(uuidV7, ({ uuid }) => AttemptId.make(uuid)),
    interactionId: Effect.map(uuidV7, ({ at, uuid }) => InteractionId.make(`${compactDate(at)}-${uuid}`)),
    voiceId: Effect.map(uuid, (uuid) => VoiceId.make(`svc-${uuid}`)),
    requestId: Effect.zipWith(
      Clock.currentTimeMillis,
      uuid,
      (now, uuid) => RequestId.make(`${compactDate(now)}_${uuid}`)
    ),
    uuid
  })
}

/** The day in UTC as `YYYYMMDD`. */
const compactDate = (at: number): string => DateTime.formatIsoDateUtc(DateTime.unsafeMake(at)).replaceAll("-", "")
