import { assert, describe, it } from "@effect/vitest"
import { FileStore } from "@trunkline/cohorts"
import { fileStoreLaws } from "@trunkline/cohorts/testing"
import { FilesS3 } from "@trunkline/files-s3"
import { concatBytes, macroTask } from "@trunkline/kernel"
import { Deferred, Effect, Fiber, HashMap, Layer, List, Logger, Option, Ref, Stream } from "effect"
import { readdirSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import { testCredentials as credentials, testS3 } from "../../../test/setup/S3.js"

const live = Layer.unwrapScoped(Effect.map(testS3, ({ url }) => FilesS3.layer({ url, credentials })))

fileStoreLaws("S3", live)

/** A bucket in a storage of one's own, with credentials in the usual variables: its name begins the objects of the tests. */
const configured = process.env["TRUNKLINE_TEST_S3"]

describe.skipIf(configured === undefined)("on the storage that TRUNKLINE_TEST_S3 names", () => {
  fileStoreLaws("S3, configured", Layer.suspend(() => FilesS3.layer({ url: configured ?? "" })))
})

const megabytes = (count: number, value = 7) => new Uint8Array(count * 1_000_000).fill(value)

const bytesOf = (key: string) =>
  Effect.gen(function*() {
    const file = yield* (yield* FileStore).read(key)
    return Option.isNone(file) ? null : concatBytes(Array.from(yield* Stream.runCollect(file.value)))
  })

/** Answers of a storage that only begins uploads, and what it was asked, in order. */
const stubS3 = (answer: RequestListener) =>
  Effect.gen(function*() {
    const requests: Array<string> = []
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost")
      searchParams.delete("x-id")
      requests.push(`${request.method} ${pathname}${searchParams.size === 0 ? "" : `?${searchParams}`}`)
      request.resume().on("end", () => answer(request, response))
    })
    const port = yield* Effect.acquireRelease(
      Effect.async<number>((resume) => {
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
        })
      }),
      () =>
        Effect.async<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    return { url: `s3://bucket/files?endpoint=http://127.0.0.1:${port}`, requests }
  })

const uploadBegun = "<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>"

/** Runs an effect and returns what it logs. */
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const lines = yield* Ref.make<ReadonlyArray<string>>([])
    const logger = Logger.make<unknown, void>(({ annotations, message, spans }) =>
      Effect.runSync(
        Ref.update(lines, (previous) => [...previous, String([message, HashMap.size(annotations), List.size(spans)])])
      )
    )
    yield* Effect.provide(effect, Logger.replace(Logger.defaultLogger, logger))
    return yield* Ref.get(lines)
  })

describe("files in S3", () => {
  it.scopedLive("of several parts are whole, whatever their last part", () =>
    Effect.gen(function*() {
      const files = yield* FileStore
      const part = 5 * 1024 * 1024
      for (const size of [part - 1, part, part + 1, 2 * part, 3 * part + 5]) {
        const bytes = Uint8Array.from({ length: size }, (_, index) => index % 251)
        yield* files.write("large", Stream.make(bytes.subarray(0, 1_000), bytes.subarray(1_000)))
        assert.deepStrictEqual(yield* files.size("large"), Option.some(size))
        assert.isTrue(Buffer.from(bytes).equals(Buffer.from((yield* bytesOf("large")) ?? [])))
      }
    }).pipe(Effect.provide(live)))

  it.scopedLive("of one key that are written at once are each whole, and one of them stays", () =>
    Effect.gen(function*() {
      const files = yield* FileStore
      const write = (value: number) => files.write("contended", Stream.make(megabytes(6, value)))
      yield* Effect.forEach([1, 2, 3, 4], write, { concurrency: "unbounded", discard: true })
      const bytes = yield* bytesOf("contended")
      assert.strictEqual(bytes?.length, 6_000_000)
      assert.isTrue(bytes?.every((byte) => byte === bytes[0]))
    }).pipe(Effect.provide(live)))

  it.scopedLive("keep to their prefix, and have names that people can read", () =>
    Effect.gen(function*() {
      const { folder, url } = yield* testS3
      const write = Effect.flatMap(FileStore, (files) =>
        Effect.forEach(["coh-1/cohort", "../../escape", "/", "a//b"], (key) => files.write(key, Stream.empty)))
      yield* Effect.provide(write, FilesS3.layer({ url, credentials }))
      assert.deepStrictEqual(readdirSync(folder), ["files"])
      const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith("_object")
      )
      assert.deepStrictEqual(names.map((name) => name.replace("._S3rver_object", "")).sort(), [
        "files/.2e..2e./.2e..2e./escape",
        "files/.2f.",
        "files/a.2f./b",
        "files/coh-1/cohort"
      ])
    }))

  it.scopedLive("pull a large upload no further than two parts ahead of what is stored", () =>
    Effect.gen(function*() {
      const part = 5 * 1024 * 1024
      let pulled = 0
      let stored = 0
      const { requests, url } = yield* stubS3(({ method, url = "" }, response) => {
        if (url.includes("partNumber")) stored += 1
        response.setHeader("ETag", "\"1\"")
        response.end(method === "POST" ? uploadBegun : "")
      })
      const source = Stream.repeatValue(new Uint8Array(500_000)).pipe(
        Stream.rechunk(1),
        Stream.take(100),
        Stream.tap((bytes) => Effect.sync(() => pulled += bytes.length)),
        Stream.tap(() => Effect.sync(() => assert.isAtMost(pulled - stored * part, 4 * part + 500_000)))
      )
      const write = Effect.flatMap(FileStore, (files) => files.write("large", source))
      yield* Effect.provide(write, FilesS3.layer({ url, credentials }))
      assert.strictEqual(pulled, 50_000_000)
      assert.strictEqual(requests.filter((line) => /partNumber/.test(line)).length, 10)
      assert.strictEqual(requests.at(-1), "POST /bucket/files/large?uploadId=1")
    }))

  it.scopedLive("end an upload that fails, and pass on its cause even where the storage refuses to end it", () =>
    Effect.gen(function*() {
      for (const refuses of [false, true]) {
        const { requests, url } = yield* stubS3(({ method }, response) => {
          response.statusCode = method === "DELETE" && refuses ? 405 : 200
          response.setHeader("ETag", "\"1\"")
          response.end(method === "POST" ? uploadBegun : "")
        })
        const source = Stream.concat(Stream.make(megabytes(6)), Stream.fail("cut"))
        const write = Effect.flatMap(FileStore, (files) => files.write("broken", source))
        const lines = yield* logged(Effect.gen(function*() {
          const cause = yield* Effect.provide(Effect.flip(write), FilesS3.layer({ url, credentials }))
          assert.strictEqual(cause, "cut")
        }))
        assert.strictEqual(requests.at(-1), "DELETE /bucket/files/broken?uploadId=1")
        assert.lengthOf(lines, refuses ? 1 : 0)
        if (refuses) {
          assert.match(lines[0] ?? "", /^The parts of a broken file could not be removed from the bucket,S3Failed/)
        }
      }
    }))

  it.scopedLive("end an upload that is interrupted", () =>
    Effect.gen(function*() {
      const { requests, url } = yield* stubS3(({ method }, response) => {
        response.setHeader("ETag", "\"1\"")
        response.end(method === "POST" ? uploadBegun : "")
      })
      yield* Effect.gen(function*() {
        const files = yield* FileStore
        const startSignal = yield* Deferred.make<void>()
        const waiting = Stream.execute(Effect.zipRight(Deferred.succeed(startSignal, undefined), Effect.never))
        const fiber = yield* Effect.fork(
          files.write("interrupted", Stream.concat(Stream.make(megabytes(6)), waiting))
        )
        yield* Deferred.await(startSignal)
        yield* Effect.repeat(macroTask, { until: () => requests.some((line) => /uploadId/.test(line)) })
        yield* Fiber.interrupt(fiber)
      }).pipe(Effect.provide(FilesS3.layer({ url, credentials })))
      assert.strictEqual(requests.at(-1), "DELETE /bucket/files/interrupted?uploadId=1")
    }))

  it.scopedLive("are tried again after errors of the storage, and die with the kind of the error after that", () =>
    Effect.gen(function*() {
      let failures = 2
      const { url } = yield* stubS3(({ method }, response) => {
        response.statusCode = method === "PUT" && failures-- > 0 ? 503 : 200
        response.end()
      })
      const write = Effect.flatMap(FileStore, (files) => files.write("flaky", Stream.make(megabytes(1))))
      yield* Effect.provide(write, FilesS3.layer({ url, credentials }))
      assert.strictEqual(failures, -1)
      failures = Infinity
      const defect = yield* Effect.flip(Effect.sandbox(Effect.provide(write, FilesS3.layer({ url, credentials }))))
      assert.match(String(defect), /PutObject failed: \w+ \(503\)/)
    }))

  it.scopedLive("that are cut off are never taken for whole", () =>
    Effect.gen(function*() {
      const { url } = yield* stubS3(({ method }, response) => {
        response.setHeader("Content-Length", 1_000)
        if (method === "HEAD") response.end()
        else response.write(new Uint8Array(500), () => response.destroy())
      })
      const defect = yield* Effect.flip(
        Effect.sandbox(Effect.provide(bytesOf("cut"), FilesS3.layer({ url, credentials })))
      )
      assert.match(String(defect), /GetObject failed: the answer was cut off/)
    }))

  it.scopedLive("close their connection when a reader stops, also while it waits for bytes", () =>
    Effect.gen(function*() {
      const closed = yield* Deferred.make<void>()
      const { url } = yield* stubS3(({ method }, response) => {
        response.setHeader("Content-Length", 1_000)
        if (method === "HEAD") return void response.end()
        response.on("close", () => Deferred.unsafeDone(closed, Effect.void))
        response.write(new Uint8Array(500))
      })
      yield* Effect.gen(function*() {
        const startSignal = yield* Deferred.make<void>()
        const bytes = Option.getOrThrow(yield* (yield* FileStore).read("slow"))
        const fiber = yield* Effect.fork(Stream.runForEach(bytes, () => Deferred.succeed(startSignal, undefined)))
        yield* Deferred.await(startSignal)
        yield* Fiber.interrupt(fiber)
        yield* Deferred.await(closed)
      }).pipe(Effect.provide(FilesS3.layer({ url, credentials })))
    }))
})

describe("a bucket", () => {
  const refusal = (url: string) =>
    Layer.build(FilesS3.layer({ url, credentials })).pipe(
      Effect.scoped,
      Effect.flip,
      Effect.map(({ message }) => message)
    )

  it.scopedLive("that does not exist, or refuses access, is reported in one line with the next step", () =>
    Effect.gen(function*() {
      const { url } = yield* testS3
      assert.strictEqual(
        yield* refusal(url.replace("trunkline-test", "another")),
        "the bucket another cannot be used: it does not exist: create it, or correct the URL of the files"
      )
      const refusing = yield* stubS3((_, response) => void response.writeHead(403).end())
      assert.strictEqual(
        yield* refusal(refusing.url),
        "the bucket bucket cannot be used: access is refused: check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, "
          + "and that they may list the bucket"
      )
    }))

  it.scopedLive("that does not answer, or is in another region, is reported in one line with the next step", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* refusal("s3://bucket?endpoint=http://127.0.0.1:1"),
        "the bucket bucket cannot be used: http://127.0.0.1:1 does not answer (ECONNREFUSED): check the endpoint and the network"
      )
      const { url } = yield* stubS3((_, response) => void response.writeHead(301).end())
      assert.strictEqual(
        yield* refusal(url),
        "the bucket bucket cannot be used: it is in another region: name it in the URL with ?region="
      )
    }))
})
