import { assert, describe, it } from "@effect/vitest"
import { RecordingLocked, Recordings } from "@trunkline/analytics"
import { FileStore } from "@trunkline/cohorts"
import { collectBytes, Entropy, InteractionId } from "@trunkline/kernel"
import { Context, Effect, Exit, Fiber, Layer, Option, Redacted } from "effect"
import { makeBlockBuffers } from "../../src/recordings/BlockBuffers.js"
import { makeBlockStore } from "../../src/recordings/BlockStore.js"
import { joinPieces } from "../../src/recordings/Completion.js"
import { findLoose, pieceKey, pieceLogKey } from "../../src/recordings/LoosePieces.js"
import { recordingName, wholeKey } from "../../src/recordings/PieceFiles.js"
import { recordingsLayer } from "../../src/recordings/RecordingFiles.js"
import { RecordingKeys } from "../../src/recordings/RecordingKeys.js"
import { makeSoundBlocks } from "../../src/recordings/SoundBlocks.js"
import { scope } from "../Fixtures.js"

const id = InteractionId.make("20260101-call-1")
const [first, second] = [Redacted.make("a".repeat(32)), Redacted.make("b".repeat(32))]

const keysOf = (...keys: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]) =>
  Layer.provide(RecordingKeys.layer(keys), Entropy.layerSeeded("recordings"))

/** Files in a store that cannot append, as a bucket. */
const filesWithoutAppend = Layer.map(FileStore.layerMemory, (context) => {
  const { append: _append, ...files } = Context.get(context, FileStore)
  return Context.make(FileStore, files)
})

const layer = Layer.provideMerge(keysOf(first), FileStore.layerMemory)
const layerWithoutAppend = Layer.provideMerge(keysOf(first), filesWithoutAppend)
const kinds = [["a store that appends", layer], ["a store that does not", layerWithoutAppend]] as const

const tone = (length: number) => Float32Array.from({ length }, (_, at) => 0.5 * Math.sin(at / 3))

/** Stores seconds of sound as a call does, and stops like a process that is killed: without an end. */
const killedAfter = (seconds: number, options: { readonly isResumed?: boolean; readonly rate?: number } = {}) =>
  Effect.gen(function*() {
    const { isResumed = false, rate = 8_000 } = options
    const files = yield* FileStore
    const name = yield* recordingName(scope, id)
    const seal = (yield* RecordingKeys).sealOf(name)
    const buffers = makeBlockBuffers()
    const store = makeBlockStore({ buffers, files, name, seal, rate, isResumed })
    const before = (yield* findLoose(files, name)).pieces.reduce((sum, { size }) => sum + size, 0)
    const running = yield* Effect.fork(store.run)
    const blocks = makeSoundBlocks({ buffers, rate }, store.offer)
    for (let second = 0; second < seconds; second++) {
      blocks.add(tone(rate), tone(rate), true)
      while (store.storedBytes() < before + Math.floor((second + 1) / 5) * 5 * rate * 2 && store.fault() === null) {
        yield* Effect.promise(() => new Promise((resume) => setImmediate(resume)))
      }
    }
    yield* Fiber.interrupt(running)
    return store
  })

const find = Effect.flatMap(Recordings, (recordings) => recordings.find(scope, id))

describe("the pieces of a recording", () => {
  it.effect.each(kinds)(
    "in %s, outlive a process that is killed in the middle of a call, and become one file afterwards",
    ([, layer]) =>
      Effect.gen(function*() {
        const files = yield* FileStore
        const keys = yield* RecordingKeys
        const name = yield* recordingName(scope, id)
        yield* killedAfter(13)
        const before = yield* Effect.flatMap(Effect.map(find, Option.getOrThrow), ({ bytes }) => collectBytes(bytes))
        assert.lengthOf(before, 58 + 10 * 16_000)
        assert.deepStrictEqual(Option.getOrThrow(yield* joinPieces({ files, keys }, name)), {
          hasSound: true,
          seconds: 10
        })
        assert.lengthOf((yield* findLoose(files, name)).pieces, 0)
        const whole = yield* Effect.map(find, Option.getOrThrow)
        assert.deepStrictEqual(yield* collectBytes(whole.bytes), before)
        for (const [from, to] of [[0, 60], [79_990, 80_100], [160_000, 160_058]] as const) {
          assert.deepStrictEqual(yield* collectBytes(whole.read({ from, to })), before.slice(from, to))
        }
        assert.isTrue(Option.isNone(yield* joinPieces({ files, keys }, name)))
      }).pipe(Effect.provide(Layer.provideMerge(recordingsLayer, layer)))
  )

  it.effect("stay whole when a process stops while it removes what it has joined", () =>
    Effect.gen(function*() {
      const files = yield* FileStore
      const keys = yield* RecordingKeys
      const name = yield* recordingName(scope, id)
      yield* killedAfter(16)
      const stopped = FileStore.of({
        ...files,
        remove: (key) => key === pieceKey(name, 0) ? Effect.dieMessage("stopped") : files.remove(key)
      })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(joinPieces({ files: stopped, keys }, name))))
      assert.isTrue(Option.isSome(yield* files.size(pieceKey(name, 0))))
      assert.deepStrictEqual(Option.getOrThrow(yield* joinPieces({ files, keys }, name)), {
        hasSound: true,
        seconds: 15
      })
      assert.isTrue(Option.isNone(yield* files.size(pieceKey(name, 0))))
      assert.strictEqual((yield* Effect.map(find, Option.getOrThrow)).size, 58 + 15 * 16_000)
    }).pipe(Effect.provide(Layer.provideMerge(recordingsLayer, layerWithoutAppend))))

  it.effect.each(kinds)(
    "in %s, go on where an earlier process has stopped, at the same rate only",
    ([, layer]) =>
      Effect.gen(function*() {
        yield* killedAfter(6)
        assert.strictEqual((yield* killedAfter(5, { isResumed: true })).storedBytes(), 10 * 16_000)
        const other = yield* killedAfter(5, { isResumed: true, rate: 16_000 })
        assert.strictEqual(other.fault(), "the call went on with another sample rate")
      }).pipe(Effect.provide(layer))
  )

  it.effect("go on after those of a version that had a file for each", () =>
    Effect.gen(function*() {
      const files = yield* FileStore
      const keys = yield* RecordingKeys
      const name = yield* recordingName(scope, id)
      const { append: _append, ...older } = files
      yield* Effect.provideService(killedAfter(6), FileStore, older)
      assert.strictEqual((yield* killedAfter(11, { isResumed: true })).storedBytes(), 15 * 16_000)
      assert.strictEqual(Option.getOrThrow(yield* joinPieces({ files, keys }, name)).seconds, 15)
      assert.strictEqual(
        (yield* collectBytes((yield* Effect.map(find, Option.getOrThrow)).bytes)).length,
        58 + 15 * 16_000
      )
    }).pipe(Effect.provide(Layer.provideMerge(recordingsLayer, layer))))

  it.effect("are read without one that a power failure has cut off, whose place the next one takes", () =>
    Effect.gen(function*() {
      const files = yield* FileStore
      const keys = yield* RecordingKeys
      const name = yield* recordingName(scope, id)
      yield* killedAfter(11)
      const log = yield* Effect.flatMap(
        files.read(pieceLogKey(name)),
        (bytes) => collectBytes(Option.getOrThrow(bytes))
      )
      for (const size of [log.length - 1, log.length / 2 + 45, log.length / 2 + 3]) {
        yield* FileStore.writeBytes(files, pieceLogKey(name), [log.subarray(0, size)])
        assert.strictEqual((yield* Effect.map(find, Option.getOrThrow)).size, 58 + 5 * 16_000)
      }
      yield* killedAfter(6, { isResumed: true })
      assert.strictEqual(Option.getOrThrow(yield* joinPieces({ files, keys }, name)).seconds, 10)
      const { bytes } = yield* Effect.map(find, Option.getOrThrow)
      assert.lengthOf(yield* collectBytes(bytes), 58 + 10 * 16_000)
    }).pipe(Effect.provide(Layer.provideMerge(recordingsLayer, layer))))

  it.effect("are dropped when the files are so slow that more than 20 seconds wait, which takes no time of the call", () =>
    Effect.gen(function*() {
      const files = FileStore.of({ ...(yield* FileStore), append: () => Effect.never })
      const name = yield* recordingName(scope, id)
      const seal = (yield* RecordingKeys).sealOf(name)
      const buffers = makeBlockBuffers()
      const store = makeBlockStore({ buffers, files, name, seal, rate: 8_000, isResumed: false })
      const running = yield* Effect.fork(store.run)
      const blocks = makeSoundBlocks({ buffers, rate: 8_000 }, store.offer)
      blocks.addSilence(20 * 8_000)
      assert.isNull(store.fault())
      blocks.addSilence(5 * 8_000)
      assert.strictEqual(store.fault(), "the file store did not keep up with the call")
      yield* Fiber.interrupt(running)
    }).pipe(Effect.provide(layer)))

  it.effect("open with the key that sealed them, also after another one took its place, and tell which one is missing", () =>
    Effect.gen(function*() {
      const files = yield* FileStore
      const under = (keys: Layer.Layer<RecordingKeys>) =>
        Effect.provide(find, Layer.provide(recordingsLayer, Layer.merge(keys, Layer.succeed(FileStore, files))))
      yield* Effect.provide(killedAfter(5), keysOf(first))
      const keys = yield* Effect.map(Effect.scoped(Layer.build(keysOf(first))), Context.get(RecordingKeys))
      for (const isJoined of [false, true]) {
        if (isJoined) yield* joinPieces({ files, keys }, yield* recordingName(scope, id))
        assert.isTrue(Option.isSome(yield* under(keysOf(second, first))))
        const locked = yield* Effect.flip(under(keysOf(second)))
        assert.instanceOf(locked, RecordingLocked)
        assert.match(
          locked.message,
          /^The recording was encrypted with the key [0-9a-f]{8}, which this server does not have/
        )
      }
    }).pipe(Effect.provide(FileStore.layerMemory)))

  it.effect("do not open when they were changed, or exchanged with others", () =>
    Effect.gen(function*() {
      const { sealOf } = yield* RecordingKeys
      const [one, other] = [sealOf("rec-1"), sealOf("rec-2")]
      const sealed = yield* one.seal(3, Uint8Array.of(1, 2, 3), { rate: 8_000, hasSound: true })
      assert.deepStrictEqual(yield* one.open(3, sealed), Uint8Array.of(1, 2, 3))
      for (
        const [seal, place, bytes] of [
          [one, 4, sealed],
          [other, 3, sealed],
          [one, 3, sealed.map((byte, at) => at === 12 ? 0 : byte)],
          [one, 3, sealed.map((byte, at) => at === sealed.length - 1 ? byte ^ 1 : byte)]
        ] as const
      ) {
        assert.strictEqual((yield* Effect.flip(seal.open(place, bytes)))._tag, "RecordingLocked")
      }
    }).pipe(Effect.provide(layer)))

  it.effect("hold no sound in the clear", () =>
    Effect.gen(function*() {
      const files = yield* FileStore
      const keys = yield* RecordingKeys
      const name = yield* recordingName(scope, id)
      yield* killedAfter(5)
      yield* joinPieces({ files, keys }, name)
      const stored = yield* Effect.flatMap(
        files.read(wholeKey(name)),
        (bytes) => collectBytes(Option.getOrThrow(bytes))
      )
      const counts = Array.from({ length: 256 }, () => 0)
      for (const byte of stored) counts[byte] = (counts[byte] ?? 0) + 1
      // A tone has few codes; encrypted bytes have all values about as often.
      assert.isBelow(Math.max(...counts) / Math.min(...counts), 2)
    }).pipe(Effect.provide(layer)))
})
