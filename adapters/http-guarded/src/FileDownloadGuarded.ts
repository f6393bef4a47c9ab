import { DownloadRefused, FileDownload } from "@trunkline/cohorts"
import { Effect, Layer, Stream } from "effect"
import { GuardedHttp, type GuardOptions } from "./GuardedHttp.js"

/**
 * A `FileDownload` from public `https:` addresses only, unless the options say otherwise (decisions 12, shapes 4.5).
 *
 * Takes 100 MB within ten minutes at most, with no pause of 30 s, and follows no redirect. What the server compressed
 * with gzip, deflate or br comes out decompressed, and counts as such.
 */
export const layer = (options: GuardOptions = {}): Layer.Layer<FileDownload> =>
  Layer.effect(
    FileDownload,
    Effect.map(GuardedHttp, ({ get }) =>
      FileDownload.of({
        fetch: (url) =>
          Stream.mapError(
            get({ url, maxRedirects: 0 }),
            ({ reason }) => new DownloadRefused({ message: `The file could not be fetched: ${reason}` })
          )
      }))
  ).pipe(Layer.provide(GuardedHttp.layer(options)))
