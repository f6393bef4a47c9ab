import { assert, describe, it } from "@effect/vitest"
import { parseS3Url } from "@trunkline/files-s3"
import { Either } from "effect"

const places: ReadonlyArray<readonly [url: string, place: Partial<ReturnType<typeof placeOf>>]> = [
  ["s3://bucket", { bucket: "bucket", prefix: "", endpoint: null, region: null, isPathStyle: false }],
  ["s3://bucket/", { prefix: "" }],
  ["s3://bucket/one/two/", { prefix: "one/two/" }],
  ["s3://bucket?region=eu-central-1", { region: "eu-central-1" }],
  ["s3://bucket?endpoint=http://localhost:9000", { endpoint: "http://localhost:9000", isPathStyle: true }],
  ["s3://bucket?endpoint=https%3A%2F%2Fs3.example.com&path_style=false", {
    endpoint: "https://s3.example.com",
    isPathStyle: false
  }],
  ["s3://bucket?path_style=true", { isPathStyle: true }]
]

const placeOf = (url: string) => Either.getOrThrow(parseS3Url(url))

const mistakes: ReadonlyArray<readonly [url: string, reason: RegExp]> = [
  ["https://bucket", /must begin with s3:\/\/$/],
  ["s3://", /must name a bucket$/],
  ["s3:///prefix", /must name a bucket$/],
  ["s3://Bucket", /must name a bucket$/],
  ["s3://key:secret@bucket", /credentials belong in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY$/],
  ["s3://bucket?endpoint=localhost:9000", /endpoint must begin with https:\/\/ or http:\/\/$/],
  ["s3://bucket?region=", /region must not be empty$/],
  ["s3://bucket?path_style=yes", /path_style must be true or false$/],
  ["s3://bucket?secret=abc", /there is no parameter secret$/],
  ["s3://bucket?region=a&region=b", /a parameter is given twice$/]
]

describe("the URL of files in S3", () => {
  it("names the bucket, the prefix and the storage", () => {
    for (const [url, place] of places) assert.deepInclude(placeOf(url), place, url)
  })

  it("is refused with the reason, and without the URL", () => {
    for (const [url, reason] of mistakes) {
      const error = Either.getOrThrow(Either.flip(parseS3Url(url)))
      assert.match(error.message, reason, url)
      assert.notInclude(error.message, "secret@")
      assert.notInclude(error.message, "\n")
    }
  })
})
