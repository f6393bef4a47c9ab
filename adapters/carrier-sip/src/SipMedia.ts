import { entryBeside, startThread } from "@trunkline/workers"
import type { Layer } from "effect"
import type { Media, MediaOptions } from "./media/Media.js"
import { layerMediaPool } from "./media/MediaPool.js"
import type { StartThread } from "./media/ThreadClient.js"

/** Starts a media thread from the module beside this one, or beside its bundle. */
export const startMediaThread: StartThread = (workerData, handlers) =>
  startThread(entryBeside(import.meta.url, "worker"), { name: "media", workerData, ...handlers })

/**
 * `Media` over RTP in a worker thread (`@trunkline/carrier-sip/worker`). The thread starts with the layer, so that the first
 * call does not wait for it.
 *
 * @example
 * const media = layerMedia({ ports: { from: 20_000, to: 20_999 } })
 */
export const layerMedia = (options: MediaOptions = {}): Layer.Layer<Media> =>
  layerMediaPool({ ...options, start: startMediaThread })
