import { assert, describe, it } from "@effect/vitest"
import type { ResponseEvent, ResponseResource } from "@trunkline/responses"
import type OpenAI from "openai"

/** A type without `readonly`, which the SDK's types do not have. */
type Mutable<T> = { -readonly [K in keyof T]: Mutable<T[K]> }

/**
 * The fields in which a response differs from the SDK's types. The SDK itself adds `output_text`. `error` has other codes
 * and more fields, `usage` and `user` may be null, and `prompt_cache_retention` is any string that was sent.
 */
type Exceptions = "output_text" | "error" | "usage" | "user" | "prompt_cache_retention"

type Theirs = OpenAI.Responses.Response

/** An event without the exceptional fields of its response. */
type Compared<Event> = Event extends { response: infer Whole }
  ? Omit<Event, "response"> & { response: Omit<Whole, Exceptions> }
  : Event

type Ours<Type extends ResponseEvent["type"]> = Compared<Mutable<Extract<ResponseEvent, { type: Type }>>>
type Sdks<Type extends ResponseEvent["type"]> = Compared<
  Extract<OpenAI.Responses.ResponseStreamEvent, { type: Type }>
>

/** Events that the SDK does not know, or whose types it does not accept. */
type Incompatible = {
  [Type in ResponseEvent["type"]]: [Sdks<Type>] extends [never] ? Type : Ours<Type> extends Sdks<Type> ? never : Type
}[ResponseEvent["type"]]

/** Exceptions that are not needed. */
type Unneeded = {
  [Key in Exceptions]: Key extends keyof ResponseResource
    ? Mutable<ResponseResource>[Key] extends Theirs[Key] ? Key : never
    : never
}[Exceptions]

type IsNever<T> = [T] extends [never] ? true : T

describe("the types of the SDK (checked by the compiler)", () => {
  it("accept a response, apart from the exceptions", () => {
    const taken = (response: Omit<Mutable<ResponseResource>, Exceptions>): Omit<Theirs, Exceptions> => response
    assert.isFunction(taken)
  })

  it("know and accept every event", () => {
    const none: IsNever<Incompatible> = true
    assert.isTrue(none)
  })

  it("need every exception", () => {
    const none: IsNever<Unneeded> = true
    assert.isTrue(none)
  })
})
