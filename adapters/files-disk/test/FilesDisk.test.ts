import { assert, it } from "@effect/vitest"
import { FileStore } from "@trunkline/cohorts"
import { fileStoreLaws } from "@trunkline/cohorts/testing"
import { FilesDisk } from "@trunkline/files-disk"
import { Effect, Layer, Stream } from "effect"
import { mkdtemp, readdir, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-files-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true }))
)

fileStoreLaws("disk", Layer.unwrapScoped(Effect.map(temporaryFolder, FilesDisk.layer)))

it.scoped("makes the folder, and no key reaches out of it", () =>
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

it.scoped("leaves no half-written file behind, and lets nobody else read", () =>
  Effect.gen(function*() {
    const folder = yield* temporaryFolder
    const write = Effect.gen(function*() {
      const files = yield* FileStore
      yield* Effect.exit(files.write("cut", Stream.concat(Stream.make(new Uint8Array(10)), Stream.fail("cut"))))
      yield* files.write("coh-1/cohort", Stream.make(new Uint8Array(10)))
    })
    yield* Effect.provide(write, FilesDisk.layer(folder))
    assert.deepStrictEqual(yield* Effect.promise(() => readdir(folder)), ["coh-1@cohort"])
    assert.strictEqual((yield* Effect.promise(() => stat(join(folder, "coh-1@cohort")))).mode & 0o077, 0)
  }))
