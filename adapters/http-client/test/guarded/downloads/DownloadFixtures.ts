import { type DownloadRequest, GuardedHttp, type GuardOptions } from "@trunkline/http-client/guarded"
import { Chunk, Effect, Stream } from "effect"

export const get = (request: DownloadRequest) =>
  Effect.flatMap(GuardedHttp, ({ get }) => Stream.runCollect(get(request))).pipe(
    Effect.map((pieces) => Buffer.concat(Chunk.toReadonlyArray(pieces)).toString())
  )

export const failureOf = (request: DownloadRequest) =>
  Effect.map(Effect.flip(Effect.asVoid(get(request))), ({ kind, reason }) => [kind, reason] as const)

export const fetchWith = (options: GuardOptions) => Effect.provide(GuardedHttp.layer(options))
