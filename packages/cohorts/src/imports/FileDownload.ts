import { Context, Layer, Schema, Stream } from "effect"

/** A file could not be fetched whole. */
export class DownloadRefused extends Schema.TaggedError<DownloadRefused>()("DownloadRefused", {
  /** Why, as a sentence for the cohort's `failure_reason`: never the URL, which may hold a signature. */
  message: Schema.String
}) {}

/** Fetches the files of cohorts that are given as pre-signed URLs (shapes 4.5). */
export class FileDownload extends Context.Tag("@trunkline/cohorts/FileDownload")<FileDownload, {
  /**
   * The bytes behind a URL that a caller chose: at most 100 MB, within ten minutes, without following redirects, and
   * never from a private address (shapes 4.5, decisions 12).
   */
  readonly fetch: (url: string) => Stream.Stream<Uint8Array, DownloadRefused>
}>() {
  /** A web of the given files by their URLs; none, unless given. */
  static readonly layerMemory = (files: Readonly<Record<string, Uint8Array>> = {}): Layer.Layer<FileDownload> =>
    Layer.succeed(FileDownload, {
      fetch: (url) => {
        const file = Object.hasOwn(files, url) ? files[url] : undefined
        return file === undefined
          ? Stream.fail(new DownloadRefused({ message: "The file could not be fetched: HTTP 404" }))
          : Stream.succeed(file)
      }
    })
}
