import { Effect, Redacted, type Scope } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { createReadStream, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { rename, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { buffer } from "node:stream/consumers"
import type S3rver from "s3rver"

/** Loads s3rver, one of the packages of `test/clients`. */
const loadS3rver = (): typeof S3rver => createRequire(new URL("../clients/package.json", import.meta.url))("s3rver")

/** A server of S3 for tests, with an empty bucket. */
export interface TestS3 {
  /** URL of the files, with a prefix of their own. */
  readonly url: string
  /** Folder of what the server keeps. */
  readonly folder: string
}

/** The credentials that s3rver knows. */
export const testCredentials = { accessKeyId: "S3RVER", secretAccessKey: Redacted.make("S3RVER") }

/** The same credentials, for a process of its own. */
export const testEnvironment = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" }

const bucket = "trunkline-test"

/**
 * Corrects s3rver where it breaks promises of S3: it overwrites objects that are being read, answers before an object is
 * written, fails to delete what does not exist, and takes a range that ends with the first byte for the whole.
 */
const correct = ({ store }: S3rver): void => {
  const remove = store.deleteObject.bind(store)
  const get = store.getObject.bind(store)
  store.getObject = async (bucket, key, options) => {
    if (options?.end !== 0) return get(bucket, key, options)
    const object = await get(bucket, key, { ...options, end: 1 })
    if (object === null || object.content === null) return object
    object.content.destroy()
    object.content = createReadStream(store.getResourcePath(bucket, key, "object"), { start: 0, end: 0 })
    object.range = { start: 0, end: 0 }
    return object
  }
  store.putObject = async ({ bucket, content, key, metadata }) => {
    const path = store.getResourcePath(bucket, key, "object")
    const bytes = Buffer.isBuffer(content) ? content : await buffer(content)
    const md5 = createHash("md5").update(bytes).digest("hex")
    const part = `${path}.${randomBytes(6).toString("hex")}`
    mkdirSync(dirname(path), { recursive: true })
    await writeFile(part, bytes)
    await rename(part, path)
    await store.putMetadata(bucket, key, metadata, md5)
    return { size: bytes.length, md5 }
  }
  store.deleteObject = async (bucket, key) => {
    mkdirSync(dirname(store.getResourcePath(bucket, key, "object")), { recursive: true })
    await remove(bucket, key)
  }
}

/** A server on a free port with its files in a temporary folder, until the scope ends. */
export const testS3: Effect.Effect<TestS3, never, Scope.Scope> = Effect.gen(function*() {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-s3-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const Server = loadS3rver()
  const server = new Server({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory: folder,
    configureBuckets: [{ name: bucket }]
  })
  correct(server)
  const { port } = yield* Effect.acquireRelease(
    Effect.promise(() => server.run()),
    () => Effect.promise(() => server.close())
  )
  return { url: `s3://${bucket}/files?endpoint=http://127.0.0.1:${port}`, folder: join(folder, bucket) }
})
