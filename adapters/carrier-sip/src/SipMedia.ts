import { entryBeside } from "@trunkline/workers"
import type { Layer } from "effect"
import type { Media, MediaOptions } from "./media/Media.js"
import { layerMediaPool } from "./media/MediaPool.js"

/**
 * `Media` over RTP in a worker thread (`@trunkline/carrier-sip/worker`). The thread starts with the layer, so that the first
 * call does not wait for it.
 *
 * @example
 * const media = layerMedia({ ports: { from: 20_000, to: 20_999 } })
 */
export const layerMedia = (options: MediaOptions = {}): Layer.Layer<Media> =>
  layerMediaPool({ ...options, entry: entryBeside(import.meta.url, "worker") })
