import { assert, it } from "@effect/vitest"
import { FileStore } from "@trunkline/cohorts"
import { fileStoreLaws } from "@trunkline/cohorts/testing"
import { FilesDisk } from "@trunkline/files-disk"
import { collectBytes } from "@trunkline/kernel"
import { Deferred, Effect, Fiber, Layer, Option, Stream } from "effect"
import { existsSync } from "node:fs"
import { mkdtemp, readdir, readlink, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-files-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true }))
)

fileStoreLaws("disk", Layer.unwrapScoped(Effect.map(temporaryFolder, FilesDisk.layer)))
fileStoreLaws("disk, shared", Layer.unwrapScoped(Effect.map(temporaryFolder, FilesDisk.layerShared)))

it.scoped("creates the folder, and confines every key to it", () =>
  Effect.gen(function*() {
    const outer = yield* temporaryFolder
    const folder = join(outer, "deep", "files")
    const write = Effect.flatMap(FileStore, (files) =>
      Effect.forEach(["../escape", "/tmp/escape", "..\\escape", ".."], (key) => files.write(key, Stream.empty)))
    yield* Effect.provide(write, FilesDisk.layer(folder))
    assert.deepStrictEqual(
      yield* Effect.promise(() =>
        readdir(outer, { recursive: true })
      ).pipe(
        Effect.map((paths) =>
          paths.filter((path) => path.includes("escape") && !path.startsWith(join("deep", "files")))
        )
      ),
      []
    )
    assert.lengthOf(yield* Effect.promise(() => readdir(folder)), 4)
  }))

it.scoped("leaves no partly written file, and lets no other user read", () =>
  Effect.gen(function*() {
    const folder = yield* temporaryFolder
    const names = Effect.promise(() => readdir(folder))
    yield* Effect.gen(function*() {
      const files = yield* FileStore
      const half = Stream.make(new Uint8Array(10))
      yield* Effect.exit(files.write("cut", Stream.concat(half, Stream.fail("cut"))))
      assert.deepStrictEqual(yield* names, [])
      const startSignal = yield* Deferred.make<void>()
      const waiting = Stream.execute(Effect.zipRight(Deferred.succeed(startSignal, undefined), Effect.never))
      const writing = yield* Effect.fork(files.write("interrupted", Stream.concat(half, waiting)))
      yield* Deferred.await(startSignal)
      assert.lengthOf(yield* names, 1)
      yield* Fiber.interrupt(writing)
      assert.deepStrictEqual(yield* names, [])
      yield* files.write("coh-1/cohort", half)
    }).pipe(Effect.provide(FilesDisk.layer(folder)))
    assert.deepStrictEqual(yield* names, ["coh-1@cohort"])
    assert.strictEqual((yield* Effect.promise(() => stat(join(folder, "coh-1@cohort")))).mode & 0o077, 0)
  }))

it.scoped("removes partly written files of a dead process, unless others may be writing", () =>
  Effect.gen(function*() {
    const folder = yield* temporaryFolder
    const leftover = ".0a1b2c3d-0a1b-4c3d-8e5f-0a1b2c3d4e5f.part"
    const otherFiles = [".another.part", "coh-1@cohort", "part"]
    yield* Effect.promise(() =>
      Promise.all([leftover, ...otherFiles].map((name) => writeFile(join(folder, name), "text")))
    )
    const names = Effect.promise(async () => (await readdir(folder)).sort())
    yield* Effect.provide(FileStore, FilesDisk.layerShared(folder))
    assert.deepStrictEqual(yield* names, [leftover, ...otherFiles])
    yield* Effect.provide(FileStore, FilesDisk.layer(folder))
    assert.deepStrictEqual(yield* names, otherFiles)
  }))

it.scoped("reads a large file in chunks, no further than it is consumed", () =>
  Effect.gen(function*() {
    const folder = yield* temporaryFolder
    yield* Effect.gen(function*() {
      const files = yield* FileStore
      yield* files.write("large", Stream.make(new Uint8Array(1_000_000)))
      const bytes = Option.getOrThrow(yield* files.read("large"))
      const sizes = Array.from(yield* Stream.runCollect(bytes), (chunk) => chunk.length)
      assert.isAtLeast(Math.min(...sizes.slice(0, -1)), 64 * 1024)
      assert.isAtMost(Math.max(...sizes), 128 * 1024)
      assert.lengthOf(yield* Stream.runCollect(Stream.take(bytes, 1)), 1)
    }).pipe(Effect.provide(FilesDisk.layer(folder)))
  }))

it.scoped("keeps files open for the next append, up to a number, and none that are removed or once it ends", () =>
  Effect.gen(function*() {
    const folder = yield* temporaryFolder
    const openFiles = Effect.promise(async () => {
      if (!existsSync("/proc/self/fd")) return null
      const links = (await readdir("/proc/self/fd")).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ""))
      return (await Promise.all(links)).filter((path) => path.startsWith(folder)).length
    })
    const keys = Array.from({ length: 300 }, (_, index) => `log-${index}`)
    yield* Effect.gen(function*() {
      const { append = () => Effect.die("it cannot append"), read, remove } = yield* FileStore
      const appendAll = (at: number) =>
        Effect.forEach(keys, (key) => append(key, { at, parts: [Uint8Array.of(at)] }), { concurrency: 20 })
      for (const at of [0, 1, 2]) yield* appendAll(at)
      assert.include([null, 256], yield* openFiles)
      for (const key of keys) {
        const content = yield* Effect.flatMap(Effect.flatten(read(key)), collectBytes)
        assert.deepStrictEqual([...content], [0, 1, 2])
      }
      yield* Effect.forEach(keys.slice(250), remove)
      assert.include([null, 206], yield* openFiles)
    }).pipe(Effect.provide(FilesDisk.layer(folder)))
    assert.include([null, 0], yield* openFiles)
  }))
