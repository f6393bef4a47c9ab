import type * as Sdk from "@aws-sdk/client-s3"
import { Effect, Option, Redacted, type Scope } from "effect"
import { Readable } from "node:stream"
import { adviceFor, BucketUnusable, failureOf, type S3Failed, S3PackageMissing } from "./S3Errors.js"
import type { S3Place } from "./S3Url.js"

/** Credentials of a storage, in place of those of the environment. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
  /** Token of temporary credentials. */
  readonly sessionToken?: Redacted.Redacted
}

/** Number and tag of a part that has been stored. */
export interface StoredPart {
  readonly PartNumber: number
  readonly ETag: string | undefined
}

/** An upload in parts. */
export interface PartialUpload {
  readonly Key: string
  readonly UploadId: string
}

/** An object while it is read. */
export interface OpenObject {
  /** Size in bytes, if the storage tells it. */
  readonly size: number | undefined
  readonly body: Readable
}

/** Requests to the objects of a bucket. They fail after every retry, and end when they are interrupted. */
export interface S3Objects {
  readonly put: (Key: string, bytes: Uint8Array) => Effect.Effect<void, S3Failed>
  /** The size of an object in bytes; none if it does not exist. */
  readonly size: (Key: string) => Effect.Effect<Option.Option<number>, S3Failed>
  /** Opens an object, or a range of its bytes as the header `range` names it; it is closed with the scope. */
  readonly open: (Key: string, Range?: string) => Effect.Effect<OpenObject, S3Failed, Scope.Scope>
  readonly remove: (Key: string) => Effect.Effect<void, S3Failed>
  readonly beginUpload: (Key: string) => Effect.Effect<PartialUpload, S3Failed>
  readonly putPart: (upload: PartialUpload, number: number, bytes: Uint8Array) => Effect.Effect<StoredPart, S3Failed>
  readonly completeUpload: (upload: PartialUpload, parts: ReadonlyArray<StoredPart>) => Effect.Effect<void, S3Failed>
  readonly abortUpload: (upload: PartialUpload) => Effect.Effect<void, S3Failed>
}

/** Time to connect, in milliseconds. */
const connectMillis = 5_000

/** Time until the answer to a request begins, in milliseconds: that of a part over a slow line. */
const answerMillis = 120_000

/** Time without a byte, after which an answer is given up, in milliseconds. A reader may pause as long. */
const silenceMillis = 300_000

/** Times that a request is sent before it fails. */
const attempts = 4

/** Loads the client, which takes more time and memory than most programs need. */
const loadSdk: Effect.Effect<typeof Sdk, S3PackageMissing> = Effect.tryPromise({
  try: () => import("@aws-sdk/client-s3"),
  catch: () => new S3PackageMissing()
})

const credentialsOf = ({ accessKeyId, secretAccessKey, sessionToken }: S3Credentials) => ({
  accessKeyId,
  secretAccessKey: Redacted.value(secretAccessKey),
  ...(sessionToken !== undefined && { sessionToken: Redacted.value(sessionToken) })
})

/** The region of a place; other storages than Amazon's rarely care about it. */
const regionOf = ({ endpoint, region }: S3Place): string | undefined =>
  region ?? (endpoint === null || process.env["AWS_REGION"] !== undefined ? undefined : "us-east-1")

const makeClient = ({ S3Client }: typeof Sdk, place: S3Place, credentials?: S3Credentials): Sdk.S3Client => {
  const region = regionOf(place)
  return new S3Client({
    ...(region !== undefined && { region }),
    ...(place.endpoint !== null && { endpoint: place.endpoint }),
    ...(credentials !== undefined && { credentials: credentialsOf(credentials) }),
    forcePathStyle: place.isPathStyle,
    maxAttempts: attempts,
    // Requests are signed with the digest of their bytes; not every storage knows the further checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: connectMillis,
      requestTimeout: answerMillis,
      throwOnRequestTimeout: true,
      socketTimeout: silenceMillis
    }
  })
}

const makeObjects = (sdk: typeof Sdk, client: Sdk.S3Client, Bucket: string): S3Objects => {
  const send = <A>(operation: string, run: (abortSignal: AbortSignal) => Promise<A>): Effect.Effect<A, S3Failed> =>
    Effect.tryPromise({ try: run, catch: (error) => failureOf(operation, error) })

  const open = (Key: string, Range?: string) => {
    let openedReadable: Readable | undefined
    const request = send("GetObject", async (abortSignal) => {
      const { Body, ContentLength } = await client.send(new sdk.GetObjectCommand({ Bucket, Key, Range }), {
        abortSignal
      })
      if (!(Body instanceof Readable)) throw new TypeError("An answer without a body")
      openedReadable = Body
      return { body: Body, size: ContentLength }
    })
    return Effect.acquireReleaseInterruptible(request, () => Effect.sync(() => openedReadable?.destroy()))
  }

  return {
    open,
    put: (Key, Body) =>
      Effect.asVoid(
        send("PutObject", (abortSignal) =>
          client.send(new sdk.PutObjectCommand({ Bucket, Key, Body, ContentLength: Body.length }), { abortSignal }))
      ),
    size: (Key) =>
      send("HeadObject", (abortSignal) => client.send(new sdk.HeadObjectCommand({ Bucket, Key }), { abortSignal }))
        .pipe(
          Effect.map(({ ContentLength }) => Option.some(ContentLength ?? 0)),
          Effect.catchIf(({ status }) => status === 404, () => Effect.succeedNone)
        ),
    remove: (Key) =>
      Effect.asVoid(
        send(
          "DeleteObject",
          (abortSignal) => client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), { abortSignal })
        )
      ),
    beginUpload: (Key) =>
      send("CreateMultipartUpload", async (abortSignal) => {
        const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand({ Bucket, Key }), { abortSignal })
        if (UploadId === undefined) throw new TypeError("An answer without the id of the upload")
        return { Key, UploadId }
      }),
    putPart: (upload, PartNumber, Body) =>
      send("UploadPart", async (abortSignal) => {
        const part = new sdk.UploadPartCommand({ Bucket, ...upload, PartNumber, Body, ContentLength: Body.length })
        const { ETag } = await client.send(part, { abortSignal })
        return { PartNumber, ETag }
      }),
    completeUpload: (upload, parts) =>
      Effect.asVoid(send("CompleteMultipartUpload", (abortSignal) => {
        const manifest = { MultipartUpload: { Parts: [...parts] } }
        return client.send(new sdk.CompleteMultipartUploadCommand({ Bucket, ...upload, ...manifest }), { abortSignal })
      })),
    abortUpload: (upload) =>
      Effect.asVoid(
        send("AbortMultipartUpload", (abortSignal) =>
          client.send(new sdk.AbortMultipartUploadCommand({ Bucket, ...upload }), { abortSignal }))
      )
  }
}

/** Opens a bucket, until the scope ends. Fails when it does not exist or its credentials do not give access to it. */
export const openBucket = (
  place: S3Place,
  credentials?: S3Credentials
): Effect.Effect<S3Objects, BucketUnusable | S3PackageMissing, Scope.Scope> =>
  Effect.gen(function*() {
    const { bucket, endpoint } = place
    const sdk = yield* loadSdk
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => makeClient(sdk, place, credentials)),
      (client) => Effect.sync(() => client.destroy())
    )
    yield* Effect.tryPromise({
      try: (abortSignal) => client.send(new sdk.HeadBucketCommand({ Bucket: bucket }), { abortSignal }),
      catch: (error) => new BucketUnusable({ bucket, reason: adviceFor(failureOf("HeadBucket", error), endpoint) })
    })
    return makeObjects(sdk, client, bucket)
  })
