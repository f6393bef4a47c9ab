import { assert, describe, it } from "@effect/vitest"
import type { ResponseEvent, ResponseResource } from "@trunkline/responses"
import type OpenAI from "openai"

/** The same without `readonly`, which the SDK's types do not know. */
type Mutable<T> = { -readonly [K in keyof T]: Mutable<T[K]> }

/**
 * Where a response is not what the SDK's types say. `output_text` is added by the SDK itself. The others hold null or
 * other texts than the SDK lists, as the specification has them: `error` has our codes and more fields, `usage` and
 * `user` may be null, and `prompt_cache_retention` is whatever was sent.
 */
type Exceptions = "output_text" | "error" | "usage" | "user" | "prompt_cache_retention"

type Theirs = OpenAI.Responses.Response

/** An event without those of the fields of its response. */
type Compared<Event> = Event extends { response: infer Whole }
  ? Omit<Event, "response"> & { response: Omit<Whole, Exceptions> }
  : Event

type Ours<Type extends ResponseEvent["type"]> = Compared<Mutable<Extract<ResponseEvent, { type: Type }>>>
type Sdks<Type extends ResponseEvent["type"]> = Compared<
  Extract<OpenAI.Responses.ResponseStreamEvent, { type: Type }>
>

/** The events that the SDK does not know, or would not take. */
type Misfits = {
  [Type in ResponseEvent["type"]]: [Sdks<Type>] extends [never] ? Type : Ours<Type> extends Sdks<Type> ? never : Type
}[ResponseEvent["type"]]

/** The exceptions that there is no need for. */
type Needless = {
  [Key in Exceptions]: Key extends keyof ResponseResource
    ? Mutable<ResponseResource>[Key] extends Theirs[Key] ? Key : never
    : never
}[Exceptions]

type IsNever<T> = [T] extends [never] ? true : T

describe("the types of the SDK (checked by the compiler)", () => {
  it("take a response, but for the exceptions", () => {
    const taken = (response: Omit<Mutable<ResponseResource>, Exceptions>): Omit<Theirs, Exceptions> => response
    assert.isFunction(taken)
  })

  it("take and name every event", () => {
    const none: IsNever<Misfits> = true
    assert.isTrue(none)
  })

  it("need every exception", () => {
    const none: IsNever<Needless> = true
    assert.isTrue(none)
  })
})
