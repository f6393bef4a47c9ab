import { Data, Either } from "effect"

/** Place of files in a storage with the interface of S3. */
export interface S3Place {
  readonly bucket: string
  /** Beginning of the names of all objects: empty, or with a `/` at its end. */
  readonly prefix: string
  /** URL of the storage; null for that of Amazon. */
  readonly endpoint: string | null
  /** Region; null for that of the environment. */
  readonly region: string | null
  /** True where the bucket is in the path of requests, not in their host name. */
  readonly isPathStyle: boolean
}

/** A URL of files that makes no sense. The message does not repeat it. */
export class InvalidS3Url extends Data.TaggedError("InvalidS3Url")<{ readonly reason: string }> {
  override get message() {
    return `the URL of the files is not of the form s3://bucket/prefix?endpoint=…&region=…&path_style=true: ${this.reason}`
  }
}

/** Names of buckets (Amazon S3 User Guide, General purpose bucket naming rules). */
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

const parameterNames = ["endpoint", "region", "path_style"]

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** The fault of a URL; undefined if it has none. */
const faultOf = ({ host, password, searchParams, username }: URL): string | undefined => {
  if (username !== "" || password !== "") return "credentials belong in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
  if (!bucketName.test(host)) return "it must name a bucket"
  const names = Array.from(searchParams.keys())
  const unknownName = names.find((name) => !parameterNames.includes(name))
  if (unknownName !== undefined) return `there is no parameter ${unknownName}`
  if (new Set(names).size < names.length) return "a parameter is given twice"
  const endpoint = searchParams.get("endpoint")
  if (endpoint !== null && !isWebAddress(endpoint)) return "endpoint must begin with https:// or http://"
  if (searchParams.get("region") === "") return "region must not be empty"
  return /^(true|false)$/.test(searchParams.get("path_style") ?? "true")
    ? undefined
    : "path_style must be true or false"
}

/** Reads a URL such as `s3://bucket/prefix?endpoint=https://minio.internal:9000&region=eu-central-1`. */
export const parseS3Url = (text: string): Either.Either<S3Place, InvalidS3Url> => {
  if (!text.startsWith("s3://") || !URL.canParse(text)) {
    return Either.left(new InvalidS3Url({ reason: "it must begin with s3://" }))
  }
  const url = new URL(text)
  const reason = faultOf(url)
  if (reason !== undefined) return Either.left(new InvalidS3Url({ reason }))
  const folder = url.pathname.replace(/^\/+|\/+$/g, "")
  const endpoint = url.searchParams.get("endpoint")
  return Either.right({
    bucket: url.host,
    prefix: folder === "" ? "" : `${folder}/`,
    endpoint,
    region: url.searchParams.get("region"),
    // Few storages but Amazon's have a host name for each bucket.
    isPathStyle: (url.searchParams.get("path_style") ?? String(endpoint !== null)) === "true"
  })
}
