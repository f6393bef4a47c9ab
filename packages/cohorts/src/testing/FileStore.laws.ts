import { assert, layer } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Chunk, Deferred, Effect, FastCheck, Fiber, type Layer, Option, Stream } from "effect"
import { FileStore } from "../files/FileStore.js"

const bytesOf = (text: string) => new TextEncoder().encode(text)

const read = (key: string) =>
  Effect.gen(function*() {
    const file = yield* (yield* FileStore).read(key)
    return Option.isNone(file) ? undefined : yield* Stream.mkString(Stream.decodeText(file.value))
  })

const write = <E>(key: string, ...parts: ReadonlyArray<Stream.Stream<string, E>>) =>
  Effect.flatMap(
    FileStore,
    (files) => files.write(key, Stream.map(Stream.concatAll(Chunk.fromIterable(parts)), bytesOf))
  )

/** The laws of `FileStore`. Tests use different keys, so files may live as long as the layer. */
export const fileStoreLaws = <E>(name: string, live: Layer.Layer<FileStore, E>) =>
  layer(live)(`FileStore laws: ${name}`, (it) => {
    it.effect("reads back every byte, any number of times", () =>
      Effect.gen(function*() {
        const files = yield* FileStore
        const bytes = Uint8Array.from({ length: 150_000 }, (_, index) => (index * 7) % 256)
        yield* files.write(
          "bytes",
          Stream.make(bytes.subarray(0, 1), bytes.subarray(1, 70_000), bytes.subarray(70_000))
        )
        for (const time of ["first", "second"]) {
          const parts = yield* Stream.runCollect(Option.getOrThrow(yield* files.read("bytes")))
          assert.deepStrictEqual(Array.from(parts).flatMap((part) => Array.from(part)), Array.from(bytes), time)
        }
      }))

    it.effect("reads any range, and nothing beyond the end", () =>
      Effect.gen(function*() {
        const files = yield* FileStore
        const bytes = Uint8Array.from({ length: 600_000 }, (_, index) => (index * 11) % 251)
        yield* files.write("ranges", Stream.make(bytes.subarray(0, 100_000), bytes.subarray(100_000)))
        const edges = [[0, 1], [0, 600_000], [262_143, 262_145], [599_990, 700_000], [5, 5], [
          600_000,
          600_010
        ]] as const
        for (const [from, to] of edges) {
          const parts = yield* Stream.runCollect(Option.getOrThrow(yield* files.read("ranges", { from, to })))
          const read = Array.from(parts).flatMap((part) => Array.from(part))
          assert.deepStrictEqual(read, Array.from(bytes.subarray(from, to)), `${from} to ${to}`)
        }
        assert.isTrue(Option.isNone(yield* files.read("no ranges", { from: 0, to: 1 })))
      }))

    it.effect("stores an empty file, which differs from no file", () =>
      Effect.gen(function*() {
        yield* write("empty")
        assert.strictEqual(yield* read("empty"), "")
        assert.isUndefined(yield* read("never written"))
      }))

    it.effect("replaces an earlier file", () =>
      Effect.gen(function*() {
        yield* write("replaced", Stream.make("a longer text"))
        yield* write("replaced", Stream.make("short"))
        assert.strictEqual(yield* read("replaced"), "short")
      }))

    it.effect("copies the bytes, so that later changes of the buffer have no effect", () =>
      Effect.gen(function*() {
        const files = yield* FileStore
        const buffer = bytesOf("one")
        yield* files.write("reused", Stream.make(buffer))
        buffer.fill(0)
        assert.strictEqual(yield* read("reused"), "one")
      }))

    it.effect("stores bytes that are all there like those of a stream", () =>
      Effect.gen(function*() {
        const files = yield* FileStore
        const buffer = bytesOf("a longer text")
        yield* FileStore.writeBytes(files, "all there", [buffer, bytesOf(""), bytesOf(" in parts")])
        buffer.fill(0)
        assert.strictEqual(yield* read("all there"), "a longer text in parts")
        yield* FileStore.writeBytes(files, "all there", [])
        assert.strictEqual(yield* read("all there"), "")
      }))

    it.effect("appends bytes to a file, where it can, in place of what an earlier append has left after their beginning", () =>
      Effect.gen(function*() {
        const { append } = yield* FileStore
        if (append === undefined) return
        const buffer = bytesOf("one, ")
        yield* append("appended", { at: 0, parts: [buffer] })
        buffer.fill(0)
        yield* append("appended", { at: 5, parts: [bytesOf("two"), bytesOf(""), bytesOf(", three")] })
        assert.strictEqual(yield* read("appended"), "one, two, three")
        yield* append("appended", { at: 8, parts: [bytesOf(".")] })
        assert.strictEqual(yield* read("appended"), "one, two.")
        yield* write("appended", Stream.make("another"))
        yield* append("appended", { at: 7, parts: [bytesOf(" file")] })
        assert.strictEqual(yield* read("appended"), "another file")
      }))

    it.effect("stores nothing of a stream that fails, and passes the failure on", () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* Effect.flip(write("failing", Stream.make("half"), Stream.fail("cut"))), "cut")
        assert.isUndefined(yield* read("failing"))
      }))

    it.effect("keeps the earlier file when a later stream fails", () =>
      Effect.gen(function*() {
        yield* write("kept", Stream.make("whole"))
        yield* Effect.flip(write("kept", Stream.make("half"), Stream.fail("cut")))
        assert.strictEqual(yield* read("kept"), "whole")
      }))

    it.effect("shows a file only once it is complete, and nothing of an interrupted one", () =>
      Effect.gen(function*() {
        const startSignal = yield* Deferred.make<void>()
        const waiting = Stream.execute(Effect.zipRight(Deferred.succeed(startSignal, undefined), Effect.never))
        const writing = yield* Effect.fork(write("interrupted", Stream.make("half"), waiting))
        yield* Deferred.await(startSignal)
        assert.isUndefined(yield* read("interrupted"))
        yield* Fiber.interrupt(writing)
        assert.isUndefined(yield* read("interrupted"))
      }))

    it.effect("returns the size of a file, if it exists", () =>
      Effect.gen(function*() {
        const files = yield* FileStore
        const size = Effect.map(files.size("sized"), Option.getOrUndefined)
        assert.isUndefined(yield* size)
        yield* write("sized", Stream.make("a longer text, ", "in two parts"))
        assert.strictEqual(yield* size, 27)
        yield* write("sized", Stream.make("é"))
        assert.strictEqual(yield* size, 2)
        yield* Effect.flip(write("sized", Stream.make("half"), Stream.fail("cut")))
        assert.strictEqual(yield* size, 2)
        yield* write("sized")
        assert.strictEqual(yield* size, 0)
        yield* files.remove("sized")
        assert.isUndefined(yield* size)
      }))

    it.effect("lets readers finish a file that is replaced or removed meanwhile", () =>
      Effect.gen(function*() {
        const files = yield* FileStore
        const parts = Array.from({ length: 10 }, () => new Uint8Array(100_000).fill(1))
        for (const change of [write("changing", Stream.make("another one")), files.remove("changing")]) {
          yield* files.write("changing", Stream.fromIterable(parts))
          const changeOnce = yield* Effect.once(change)
          const bytes = Option.getOrThrow(yield* files.read("changing"))
          const pieces = Array.from(yield* Stream.runCollect(Stream.tap(bytes, () => changeOnce)))
          assert.strictEqual(pieces.reduce((sum, piece) => sum + piece.length, 0), 1_000_000)
          assert.isTrue(pieces.every((piece) => piece.every((byte) => byte === 1)))
        }
        assert.isUndefined(yield* read("changing"))
      }))

    it.effect("removes a file, and ignores a missing one", () =>
      Effect.gen(function*() {
        const files = yield* FileStore
        yield* write("removed", Stream.make("text"))
        yield* files.remove("removed")
        assert.isUndefined(yield* read("removed"))
        yield* files.remove("removed")
      }))

    it.effect("separates files of different keys, whatever characters the keys have", () =>
      Effect.gen(function*() {
        const keys = [
          "a/b",
          "a@b",
          "a.b",
          "a%b",
          "a\\b",
          "a%2Fb",
          "../a/b",
          "..",
          ".",
          "/",
          "//",
          "é",
          "a b",
          "a\u0000b"
        ]
        yield* Effect.forEach(keys, (key) => write(key, Stream.make(`at ${key}`)))
        assert.deepStrictEqual(yield* Effect.forEach(keys, read), keys.map((key) => `at ${key}`))
      }))

    it.effect.prop(
      "reads back written bytes, however they were split",
      [FastCheck.array(FastCheck.uint8Array({ maxLength: 50 }), { maxLength: 20 })],
      ([parts]) =>
        Effect.gen(function*() {
          const files = yield* FileStore
          yield* files.write("any", Stream.fromIterable(parts))
          const chunks = yield* Stream.runCollect(Option.getOrThrow(yield* files.read("any")))
          assert.deepStrictEqual(
            Array.from(chunks).flatMap((part) => Array.from(part)),
            parts.flatMap((part) => Array.from(part))
          )
        }),
      { fastCheck: { numRuns: propertyRuns(30) } }
    )
  })
