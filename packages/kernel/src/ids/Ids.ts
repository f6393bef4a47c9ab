import { Context, DateTime, Effect, FiberRef, GlobalValue, Layer, Random, Schema } from "effect"
import { BusinessTime } from "../time/BusinessTime.js"

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

const counterBits = 26
const counterSize = 2 ** counterBits

/** Time and counter of the last UUIDv7, from which the next one follows. */
export interface UuidV7State {
  readonly at: number
  readonly counter: number
}

/** The state before the first UUID. */
export const initialUuidV7: UuidV7State = { at: Number.NEGATIVE_INFINITY, counter: 0 }

/**
 * Advances to the next UUIDv7 by the counter method of RFC 9562, section 6.2: a new millisecond resets the counter to a
 * random number in its lower half; the same or an earlier millisecond increments it. A full counter moves on to the next
 * millisecond.
 */
export const nextUuidV7 = (last: UuidV7State, now: number, random: number): UuidV7State =>
  now > last.at
    ? { at: now, counter: random % (counterSize / 2) }
    : last.counter + 1 < counterSize
    ? { at: last.at, counter: last.counter + 1 }
    : { at: last.at + 1, counter: 0 }

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0")

/**
 * Formats a UUIDv7: 48 bits of time in milliseconds since 1970, a 26-bit counter and 48 random bits. UUIDs of successive
 * states sort in order of creation.
 */
export const formatUuidV7 = ({ at, counter }: UuidV7State, random48: number): string => {
  const time = hex(at, 12)
  const counterHigh = Math.floor(counter / 2 ** 14)
  const counterLow = counter % 2 ** 14
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${hex(counterHigh, 3)}`,
    hex(0x8000 + counterLow, 4),
    hex(random48, 12)
  ].join("-")
}

/** Formats a UUIDv4 from 122 random bits in groups of 48, 12, 14 and 48. */
export const formatUuidV4 = (bits: readonly [number, number, number, number]): string => {
  const head = hex(bits[0], 12)
  return [head.slice(0, 8), head.slice(8), `4${hex(bits[1], 3)}`, hex(0x8000 + bits[2], 4), hex(bits[3], 12)].join("-")
}

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
  /** For every request, hence without `Effect.all`. */
  const uuid = Effect.flatMap(
    source,
    (random) =>
      Effect.flatMap(
        random.nextIntBetween(0, 2 ** 48),
        (first) =>
          Effect.flatMap(random.nextIntBetween(0, 2 ** 12), (second) =>
            Effect.flatMap(random.nextIntBetween(0, 2 ** 14), (third) =>
              Effect.map(random.nextIntBetween(0, 2 ** 48), (last) =>
                formatUuidV4([first, second, third, last]))))
      )
  )

  const dateOf = makeDailyDate()

  let last = initialUuidV7
  /** For every attempt, hence without `Effect.all`. */
  const uuidV7 = Effect.flatMap(
    source,
    (random) =>
      Effect.flatMap(
        random.nextIntBetween(0, 2 ** 25),
        (start) =>
          Effect.flatMap(random.nextIntBetween(0, 2 ** 48), (tail) =>
            Effect.map(BusinessTime.now, (now) => {
              last = nextUuidV7(last, Math.floor(now), start)
              return { at: last.at, uuid: formatUuidV7(last, tail) }
            }))
      )
  )

  return Ids.of({
    deploymentId: Effect.map(hex12, (hex) => DeploymentId.make(`dep-${hex}`)),
    campaignId: Effect.map(hex12, (hex) => CampaignId.make(`camp-${hex}`)),
    cohortId: Effect.map(hex12, (hex) => CohortId.make(`coh-${hex}`)),
    attemptId: Effect.map(uuidV7, ({ uuid }) => AttemptId.make(uuid, true)),
    interactionId: Effect.map(uuidV7, ({ at, uuid }) => InteractionId.make(`${compactDate(at)}-${uuid}`)),
    voiceId: Effect.map(uuid, (uuid) => VoiceId.make(`svc-${uuid}`)),
    requestId: Effect.clockWith((clock) => {
      const now = clock.unsafeCurrentTimeMillis()
      return Effect.map(uuid, (uuid) => RequestId.make(`${dateOf(now)}_${uuid}`, true))
    }),
    uuid
  })
}

const dayMillis = 86_400_000

/** Makes a `compactDate` that formats the date of a day once. */
const makeDailyDate = () => {
  let day = Number.NaN
  let date = ""
  return (at: number): string => {
    const today = Math.floor(at / dayMillis)
    if (today !== day) {
      day = today
      date = compactDate(at)
    }
    return date
  }
}

/** Formats the UTC date as `YYYYMMDD`. */
const compactDate = (at: number): string => DateTime.formatIsoDateUtc(DateTime.unsafeMake(at)).replaceAll("-", "")
