import type { ChatChunk, ChatCompletion } from "@trunkline/chat"
import type OpenAI from "openai"

/** A type whose lists and fields are only read, as ours are. */
type OnlyRead<A> = A extends ReadonlyArray<infer Item> ? ReadonlyArray<OnlyRead<Item>>
  : A extends object ? { readonly [Key in keyof A]: OnlyRead<A[Key]> }
  : A

type WithoutDetails<Usage> = Usage extends object ? Omit<Usage, "prompt_tokens_details"> : Usage

/** Where the specification has a null that the types of openai@6 do not know: no cache hit, and no fingerprint. */
type Excepted<A> = {
  [Key in keyof A as Exclude<Key, "system_fingerprint">]: Key extends "usage" ? WithoutDetails<A[Key]> : A[Key]
}

/** Whether our answer is one in their types; it does not compile otherwise. */
export const theirCompletion = (ours: Excepted<ChatCompletion>): OnlyRead<OpenAI.Chat.ChatCompletion> => ours

/** Whether our events are theirs. */
export const theirChunk = (ours: Excepted<ChatChunk>): OnlyRead<OpenAI.Chat.ChatCompletionChunk> => ours
