import { entryBeside, startThread } from "@trunkline/workers"
import { Context, Layer } from "effect"
import { Media, type MediaOptions } from "./media/Media.js"
import { layerMediaPool } from "./media/MediaPool.js"
import type { StartThread } from "./media/ThreadClient.js"
import { warmUp } from "./media/WarmUp.js"

/** Starts a media thread from the module beside this one, or beside its bundle. */
export const startMediaThread: StartThread = (workerData, handlers) =>
  startThread(entryBeside(import.meta.url, "worker"), { name: "media", workerData, ...handlers })

/**
 * `Media` over RTP in a worker thread (`@trunkline/carrier-sip/worker`). The thread starts with the layer, and carries a
 * short call with itself, so that the first call does not wait for it.
 *
 * @example
 * const media = layerMedia({ ports: { from: 20_000, to: 20_999 } })
 */
export const layerMedia = (options: MediaOptions = {}): Layer.Layer<Media> =>
  Layer.tap(
    layerMediaPool({ ...options, start: startMediaThread }),
    (builtContext) => warmUp(Context.get(builtContext, Media))
  )
