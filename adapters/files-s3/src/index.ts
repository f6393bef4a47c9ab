export { FilesS3, type FilesS3Options } from "./FilesS3.js"
export { BucketUnusable, S3Failed, S3PackageMissing } from "./S3Errors.js"
export type { S3Credentials } from "./S3Objects.js"
export { InvalidS3Url, parseS3Url, type S3Place } from "./S3Url.js"
