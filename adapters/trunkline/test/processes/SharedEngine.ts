import { Engine, type Role, roleNames } from "@trunkline/engine"
import { type Carrier, NotAnswered } from "@trunkline/telephony"
import { Context, type Duration, Effect, Layer, Redacted, Stream } from "effect"
import { Engine as Engines } from "trunkline/effect"

/** Calls at a time on the trunk that the engines share. */
export const channels = 4

/** Exit code of a process whose work the others have taken over. */
export const lostCode = 3

/** News of a process: that its engine runs, and of its calls as the network sees them. */
export type CallNews =
  | { readonly _tag: "Ready" }
  | { readonly _tag: "Dialled"; readonly id: string; readonly to: string }
  | { readonly _tag: "Ended" }

const busy = new NotAnswered({ status: "busy", reason: null })

/** A network on which everybody is busy, which takes a while to find out. */
const network = (tell: (news: CallNews) => void): Carrier => ({
  provider: "network",
  protocol: "none",
  offers: Stream.never,
  dedupe: () => ({ _tag: "None" }),
  lookup: ({ attempt_id }) => Effect.succeed({ _tag: "Over", provider_call_id: attempt_id, result: busy }),
  place: ({ attempt_id, to }) =>
    Effect.sync(() => {
      tell({ _tag: "Dialled", id: attempt_id, to })
      const end = Effect.sync(() => tell({ _tag: "Ended" }))
      return {
        provider_call_id: attempt_id,
        answer: Effect.zipRight(Effect.ensuring(Effect.sleep("300 millis"), end), busy),
        cancel: Effect.void
      }
    })
})

/** One of the engines that share a database. */
export const sharedEngine = (
  {
    data,
    database,
    lease = "3 seconds",
    lines = channels,
    onLost = () => Effect.void,
    redis,
    roles = roleNames,
    tell,
    webhook
  }: {
    readonly database: string
    readonly data: string
    /** Time without a sign of life after which the others take over; 3 seconds by default. */
    readonly lease?: Duration.DurationInput
    /** Calls at a time on the trunk. */
    readonly lines?: number
    /** A Redis server for hints and limits in place of the database. */
    readonly redis?: string
    readonly tell: (news: CallNews) => void
    /** Runs when the other engines have taken over the work of this one. */
    readonly onLost?: () => Effect.Effect<void>
    /** Roles of the engine; all by default. */
    readonly roles?: ReadonlyArray<Role>
    /** URL that receives every ended call. */
    readonly webhook?: string
  }
) =>
  Effect.map(
    Layer.build(Engines.layerPostgres({
      database,
      data,
      ...(redis !== undefined && { redis }),
      secret: Redacted.make("a secret that all engines of the test have"),
      carriers: [network(tell)],
      lease,
      onLost,
      roles,
      ...(webhook !== undefined && { callEndedWebhook: { url: webhook, secret: null } }),
      addresses: { allowInsecureUrls: true, allowPrivateUrls: true },
      maxConcurrentCalls: 1_000,
      agents: [{ app_id: "reminder", versions: [{ app_version: 1, committed: true }] }],
      connections: [{
        connection_id: "trunk",
        provider: "network",
        phone_numbers: ["+911140000001"],
        max_channels: lines
      }]
    })),
    (services) => Context.get(services, Engine)
  )
