import type { ChatChunk, ChatCompletion } from "@trunkline/chat"
import type OpenAI from "openai"

/** A type with readonly arrays and fields, as in our schemas. */
type ReadonlyDeep<A> = A extends ReadonlyArray<infer Item> ? ReadonlyArray<ReadonlyDeep<Item>>
  : A extends object ? { readonly [Key in keyof A]: ReadonlyDeep<A[Key]> }
  : A

type WithoutDetails<Usage> = Usage extends object ? Omit<Usage, "prompt_tokens_details"> : Usage

/** Leaves out fields that may be null here but not in the types of openai@6: `prompt_tokens_details` and `system_fingerprint`. */
type Comparable<A> = {
  [Key in keyof A as Exclude<Key, "system_fingerprint">]: Key extends "usage" ? WithoutDetails<A[Key]> : A[Key]
}

/** Compiles only while our completion has the type of OpenAI's. */
export const toOpenAiCompletion = (ours: Comparable<ChatCompletion>): ReadonlyDeep<OpenAI.Chat.ChatCompletion> => ours

/** Compiles only while our chunks have the type of OpenAI's. */
export const toOpenAiChunk = (ours: Comparable<ChatChunk>): ReadonlyDeep<OpenAI.Chat.ChatCompletionChunk> => ours
