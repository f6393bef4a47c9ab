import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option, Scope, Stream } from "effect"
import type { FormPart } from "../src/request/FormReader.js"
import { makeUploadBudget } from "../src/request/UploadBudget.js"

const formOf = (...sizes: ReadonlyArray<number>) => {
  const parts = sizes.map((size): FormPart => ({
    name: "file",
    filename: "clip.wav",
    contentType: null,
    content: Stream.make(new Uint8Array(size))
  })).values()
  return { drain: Effect.void, next: Effect.sync(() => Option.fromNullable(parts.next().value)) }
}

const readAll = (form: Effect.Effect.Success<ReturnType<ReturnType<typeof makeUploadBudget>["charge"]>>) =>
  Effect.gen(function*() {
    let size = 0
    for (let part = yield* form.next; Option.isSome(part); part = yield* form.next) {
      yield* Stream.runForEach(part.value.content, ({ length }) => Effect.sync(() => size += length))
    }
    return size
  })

describe("the upload budget", () => {
  it.effect("is shared by all requests, and released when they end or fail", () =>
    Effect.gen(function*() {
      const budget = makeUploadBudget(100)
      const [first, second] = [yield* Scope.make(), yield* Scope.make()]
      assert.strictEqual(yield* readAll(yield* Scope.extend(budget.charge(formOf(30, 30)), first)), 60)
      const overloaded = yield* Effect.flip(readAll(yield* Scope.extend(budget.charge(formOf(20, 21)), second)))
      assert.strictEqual(overloaded._tag, "Overloaded")
      yield* Scope.close(second, Exit.fail(overloaded))
      yield* Scope.close(first, Exit.void)
      const whole = yield* Effect.scoped(Effect.flatMap(budget.charge(formOf(100)), readAll))
      assert.strictEqual(whole, 100)
    }))

  it.effect("is not charged for bytes that have not arrived", () =>
    Effect.gen(function*() {
      const budget = makeUploadBudget(100)
      yield* Effect.scoped(Effect.gen(function*() {
        yield* budget.charge(formOf(100))
        assert.strictEqual(yield* readAll(yield* budget.charge(formOf(100))), 100)
      }))
    }))
})
