import { Data } from "effect"

/** The bucket of the files cannot be used. */
export class BucketUnusable extends Data.TaggedError("BucketUnusable")<{
  readonly bucket: string
  /** The reason and the next step. */
  readonly reason: string
}> {
  override get message() {
    return `the bucket ${this.bucket} cannot be used: ${this.reason}`
  }
}

/** The package of the S3 client, which is only needed by those who keep files there, is not installed. */
export class S3PackageMissing extends Data.TaggedError("S3PackageMissing") {
  override get message() {
    return "files in S3 need a package: npm i @aws-sdk/client-s3"
  }
}

/** A request to S3 that failed, after every retry. It says nothing about keys, credentials or contents. */
export class S3Failed extends Data.TaggedError("S3Failed")<{
  /** Name of the operation in the interface of S3. */
  readonly operation: string
  /** Name of the error, such as `AccessDenied` or `ECONNREFUSED`. */
  readonly reason: string
  /** HTTP status of the answer; null if there was none. */
  readonly status: number | null
}> {
  override get message() {
    return `${this.operation} failed: ${this.reason}${this.status === null ? "" : ` (${this.status})`}`
  }
}

const textIn = (error: object, name: string): string | undefined => {
  const value: unknown = Reflect.get(error, name)
  return typeof value === "string" && value !== "" ? value : undefined
}

const statusOf = (error: object): number | null => {
  const metadata: unknown = Reflect.get(error, "$metadata")
  if (typeof metadata !== "object" || metadata === null) return null
  const status: unknown = Reflect.get(metadata, "httpStatusCode")
  return typeof status === "number" ? status : null
}

/** The failure of an operation, from what the client threw. */
export const failureOf = (operation: string, error: unknown): S3Failed => {
  if (typeof error !== "object" || error === null) return new S3Failed({ operation, reason: "Error", status: null })
  // Errors of several addresses of a host have a code, but those of a connection only it.
  const reason = textIn(error, "code") ?? textIn(error, "name") ?? "Error"
  return new S3Failed({ operation, reason, status: statusOf(error) })
}

/** The reason why a bucket cannot be used and the next step, from the failure of a look at it. */
export const adviceFor = ({ reason, status }: S3Failed, endpoint: string | null): string => {
  if (/CredentialsProvider/.test(reason)) {
    return "there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
  }
  if (status === 404) return "it does not exist: create it, or correct the URL of the files"
  if (status === 403 || status === 401) {
    return "access is refused: check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that they may list the bucket"
  }
  if (status === 301 || status === 400) return "it is in another region: name it in the URL with ?region="
  if (status === null) {
    return `${endpoint ?? "S3"} does not answer (${reason}): check the endpoint and the network`
  }
  return `${endpoint ?? "S3"} answers ${status} (${reason})`
}
