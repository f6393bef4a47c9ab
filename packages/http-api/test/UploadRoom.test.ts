import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option, Scope, Stream } from "effect"
import type { FormPart } from "../src/Form.js"
import { makeUploadRoom } from "../src/UploadRoom.js"

const formOf = (...sizes: ReadonlyArray<number>) => {
  const parts = sizes.map((size): FormPart => ({
    name: "file",
    filename: "clip.wav",
    contentType: null,
    content: Stream.make(new Uint8Array(size))
  })).values()
  return { drain: Effect.void, next: Effect.sync(() => Option.fromNullable(parts.next().value)) }
}

const readAll = (form: Effect.Effect.Success<ReturnType<ReturnType<typeof makeUploadRoom>["within"]>>) =>
  Effect.gen(function*() {
    let size = 0
    for (let part = yield* form.next; Option.isSome(part); part = yield* form.next) {
      yield* Stream.runForEach(part.value.content, ({ length }) => Effect.sync(() => size += length))
    }
    return size
  })

describe("the room for uploads", () => {
  it.effect("is shared by all requests, and given back when they end, well or not", () =>
    Effect.gen(function*() {
      const room = makeUploadRoom(100)
      const [first, second] = [yield* Scope.make(), yield* Scope.make()]
      assert.strictEqual(yield* readAll(yield* Scope.extend(room.within(formOf(30, 30)), first)), 60)
      const refused = yield* Effect.flip(readAll(yield* Scope.extend(room.within(formOf(20, 21)), second)))
      assert.strictEqual(refused._tag, "Overloaded")
      yield* Scope.close(second, Exit.fail(refused))
      yield* Scope.close(first, Exit.void)
      const whole = yield* Effect.scoped(Effect.flatMap(room.within(formOf(100)), readAll))
      assert.strictEqual(whole, 100)
    }))

  it.effect("is not taken by what has not come", () =>
    Effect.gen(function*() {
      const room = makeUploadRoom(100)
      yield* Effect.scoped(Effect.gen(function*() {
        yield* room.within(formOf(100))
        assert.strictEqual(yield* readAll(yield* room.within(formOf(100))), 100)
      }))
    }))
})
