import { type ByteRange, FileStore } from "@trunkline/cohorts"
import { describeCause, inPieces } from "@trunkline/kernel"
import { Chunk, Effect, Exit, Layer, Option, Stream } from "effect"
import { type BucketUnusable, S3Failed, type S3PackageMissing } from "./S3Errors.js"
import { openBucket, type PartialUpload, type S3Credentials, type S3Objects } from "./S3Objects.js"
import { type InvalidS3Url, parseS3Url } from "./S3Url.js"

/** Options of `FilesS3.layer`. */
export interface FilesS3Options {
  /**
   * Bucket and beginning of the names of its objects, such as `s3://bucket/prefix`. The parameter `endpoint` is the URL of
   * another storage than Amazon's, `region` its region, and `path_style` is `false` where each bucket has a host name.
   */
  readonly url: string
  /** Credentials; by default those of the environment, such as `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`. */
  readonly credentials?: S3Credentials
}

/** Size of the parts of an upload: the least that S3 takes (Amazon S3 User Guide, Multipart upload limits). */
const partBytes = 5 * 1024 * 1024

/** Parts of a file that are sent at a time. */
const partsAtOnce = 2

/**
 * The name of a key's object. Letters, digits, `_`, `-` and single `/` within the key stay; others become their code point
 * between dots, as no storage takes all characters, and some take `..` and `//` for what they mean in paths.
 */
const objectName = (key: string): string =>
  key.replace(
    /[^A-Za-z0-9_/-]|^\/|\/$|\/(?=\/)/gu,
    (character) => `.${character.codePointAt(0)?.toString(16)}.`
  )

/** The bytes of an object, or of a range of it; dies when the answer ends before its end. */
const bytesOf = (objects: S3Objects, name: string, range?: ByteRange): Stream.Stream<Uint8Array> =>
  Stream.unwrapScoped(Effect.map(Effect.orDie(objects.open(name, rangeHeader(range))), ({ body, size }) => {
    const parts: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]()
    const cut = new S3Failed({ operation: "GetObject", reason: "the answer was cut off", status: null })
    let read = 0
    const next = Effect.flatMap(
      Effect.orDie(Effect.tryPromise({ try: () => parts.next(), catch: () => cut })),
      ({ done, value }): Effect.Effect<Uint8Array, Option.Option<never>> => {
        if (done !== true) {
          read += value.length
          return Effect.succeed(value)
        }
        return size === undefined || read === size ? Effect.fail(Option.none()) : Effect.die(cut)
      }
    )
    return Stream.repeatEffectOption(next)
  }))

/** The header `range` of a request (RFC 9110, section 14.1.2); absent for the whole. */
const rangeHeader = (range?: ByteRange): string | undefined => range && `bytes=${range.from}-${range.to - 1}`

const makeWrite = (objects: S3Objects) => {
  const giveUp = (upload: PartialUpload) =>
    Effect.catchAllCause(
      objects.abortUpload(upload),
      (cause) =>
        Effect.logWarning("The parts of a broken file could not be removed from the bucket", describeCause(cause))
    )

  return <E>(name: string, bytes: Stream.Stream<Uint8Array, E>): Effect.Effect<void, E> =>
    Effect.gen(function*() {
      let upload: PartialUpload | undefined
      const uploadStart = yield* Effect.cached(
        Effect.tap(Effect.orDie(objects.beginUpload(name)), (newUpload) => void (upload = newUpload))
      )
      const send = ([piece, index]: readonly [Uint8Array, number]) =>
        index === 0 && piece.length < partBytes
          ? Effect.as(objects.put(name, piece), null)
          : Effect.flatMap(uploadStart, (newUpload) => objects.putPart(newUpload, index + 1, piece))
      const sendAll = Stream.zipWithIndex(inPieces(bytes, partBytes)).pipe(
        Stream.mapEffect((piece) => Effect.orDie(send(piece)), { concurrency: partsAtOnce }),
        Stream.runCollect,
        Effect.flatMap((uploadedParts) => {
          if (upload !== undefined) {
            const parts = Chunk.toReadonlyArray(uploadedParts).filter((part) => part !== null)
            return Effect.orDie(objects.completeUpload(upload, parts))
          }
          return Chunk.isEmpty(uploadedParts) ? Effect.orDie(objects.put(name, new Uint8Array(0))) : Effect.void
        })
      )
      yield* Effect.onExit(
        sendAll,
        (exit) => Exit.isFailure(exit) && upload !== undefined ? giveUp(upload) : Effect.void
      )
    })
}

/**
 * A `FileStore` for cohorts in a bucket of S3, or of any storage with its interface, so that every machine finds the files. A
 * file appears once it is complete: one of up to 5 MiB in one request, a larger one in parts of that size, two at a time.
 * Readers of a file finish it even if it is replaced or removed meanwhile, as S3 promises.
 *
 * @example
 * ```ts
 * const files = FilesS3.layer({ url: "s3://trunkline-files/production?region=eu-central-1" })
 * ```
 */
export const FilesS3 = {
  /**
   * The `FileStore` of a URL. Fails with `InvalidS3Url`; with `BucketUnusable` when the bucket does not exist, does not
   * answer or refuses access; and with `S3PackageMissing` where the package `@aws-sdk/client-s3` is not installed.
   */
  layer: (
    { credentials, url }: FilesS3Options
  ): Layer.Layer<FileStore, BucketUnusable | InvalidS3Url | S3PackageMissing> =>
    Layer.scoped(
      FileStore,
      Effect.gen(function*() {
        const place = yield* parseS3Url(url)
        const objects = yield* openBucket(place, credentials)
        const nameOf = (key: string) => place.prefix + objectName(key)
        const sizeOf = (key: string) => Effect.orDie(objects.size(nameOf(key)))
        const write = makeWrite(objects)
        return FileStore.of({
          write: (key, bytes) => write(nameOf(key), bytes),
          read: (key, range) =>
            Effect.map(
              sizeOf(key),
              Option.map((size) =>
                range !== undefined && (range.to <= range.from || range.from >= size)
                  ? Stream.empty
                  : bytesOf(objects, nameOf(key), range)
              )
            ),
          size: sizeOf,
          remove: (key) => Effect.orDie(objects.remove(nameOf(key)))
        })
      })
    )
}
