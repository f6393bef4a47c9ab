import { Clock, Context, DateTime, Effect, FiberRef, GlobalValue, Layer, Random, Schema } from "effect"
import { BusinessTime } from "../time/BusinessTime.js"
import { formatUuidV4, formatUuidV7, initialUuidV7, nextUuidV7 } from "./Uuid.js"

/** An id chosen by the embedder: 1 to 128 characters without `/`. */
const opaque = Schema.String.pipe(Schema.pattern(/^[^/]{1,128}$/))

const id = <B extends string>(brand: B) => Schema.String.pipe(Schema.brand(brand))

/** Id of an organisation, chosen by the embedder: 1 to 128 characters without `/`. */
export const OrgId = opaque.pipe(Schema.brand("OrgId"))
export type OrgId = typeof OrgId.Type
/** Id of a workspace, chosen by the embedder: 1 to 128 characters without `/`. */
export const WorkspaceId = opaque.pipe(Schema.brand("WorkspaceId"))
export type WorkspaceId = typeof WorkspaceId.Type

/** The workspace that data belongs to. Every store method takes one, and no query crosses it. */
export class Scope extends Schema.Class<Scope>("Scope")({
  org_id: OrgId,
  workspace_id: WorkspaceId
}) {}

/** A string that is equal for equal scopes, for use as a map key. */
export const scopeKey = (scope: Scope): string => `${scope.org_id}/${scope.workspace_id}`

/** Id of an agent, chosen by the embedder (`app_id` on the wire): 1 to 128 characters without `/`. */
export const AppId = opaque.pipe(Schema.brand("AppId"))
export type AppId = typeof AppId.Type
/** Id of a telephony connection, chosen by the embedder: 1 to 128 characters without `/`. */
export const ConnectionId = opaque.pipe(Schema.brand("ConnectionId"))
export type ConnectionId = typeof ConnectionId.Type
/** `dep-` and 12 hex digits. */
export const DeploymentId = id("DeploymentId")
export type DeploymentId = typeof DeploymentId.Type
/** `camp-` and 12 hex digits. */
export const CampaignId = id("CampaignId")
export type CampaignId = typeof CampaignId.Type
/** `coh-` and 12 hex digits. */
export const CohortId = id("CohortId")
export type CohortId = typeof CohortId.Type
/** A UUIDv7: sortable by time, and the idempotency key of the dial. */
export const AttemptId = id("AttemptId")
export type AttemptId = typeof AttemptId.Type
/** `svc-` and a UUID: a cloned voice. */
export const VoiceId = id("VoiceId")
export type VoiceId = typeof VoiceId.Type
/** `YYYYMMDD-` and a UUIDv7. */
export const InteractionId = id("InteractionId")
export type InteractionId = typeof InteractionId.Type
/** `YYYYMMDD_` and a UUIDv4; also the `x-request-id` header. */
export const RequestId = id("RequestId")
export type RequestId = typeof RequestId.Type

/** Id of the request that this fiber handles, for logs and error responses; null outside of a request. */
export const CurrentRequestId: FiberRef.FiberRef<string | null> = GlobalValue.globalValue(
  "@trunkline/kernel/CurrentRequestId",
  () => FiberRef.unsafeMake<string | null>(null)
)

/** Generates every identifier of the engine from Effect's Random and the time; a seeded Random repeats the same ids. */
export class Ids extends Context.Tag("@trunkline/kernel/Ids")<Ids, {
  /** `dep-` and 12 hex digits. */
  readonly deploymentId: Effect.Effect<DeploymentId>
  /** `camp-` and 12 hex digits. */
  readonly campaignId: Effect.Effect<CampaignId>
  /** `coh-` and 12 hex digits. */
  readonly cohortId: Effect.Effect<CohortId>
  /** A UUIDv7 by business time; ids of the same millisecond sort in order of creation. */
  readonly attemptId: Effect.Effect<AttemptId>
  /** `YYYYMMDD-` and a UUIDv7 by business time; ids of the same millisecond sort in order of creation. */
  readonly interactionId: Effect.Effect<InteractionId>
  /** `svc-` and a UUIDv4. */
  readonly voiceId: Effect.Effect<VoiceId>
  /** `YYYYMMDD_` and a UUIDv4, dated by Effect's Clock because requests happen in real time. */
  readonly requestId: Effect.Effect<RequestId>
  /** A UUIDv4. */
  readonly uuid: Effect.Effect<string>
}>() {
  /** Draws on the Random of the calling fiber. */
  static readonly layer: Layer.Layer<Ids> = Layer.sync(Ids, () => idsFrom(Effect.random))

  /** Repeats the same ids for the same seed and times, independent of other uses of Random. */
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

/** Formats the UTC date as `YYYYMMDD`. */
const compactDate = (at: number): string => DateTime.formatIsoDateUtc(DateTime.unsafeMake(at)).replaceAll("-", "")
