/** Options of every method. */
export interface CallOptions {
  /** Workspace as `org/workspace`; by default the one of the configuration. */
  readonly workspace?: string
  /** Ends the operation; the promise then rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

/** Bytes that arrive as they are made. Leaving the loop ends their source. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Content type, such as `audio/wav`. */
  readonly contentType: string
  /** Waits for all bytes. */
  readonly bytes: () => Promise<Uint8Array>
}

/** Events that arrive as they happen. Leaving the loop ends their source. */
export type EventStream<Event> = AsyncIterable<Event>

/** Piece of a streamed chat completion, as OpenAI has it. */
export interface ChatChunk {
  readonly id: string
  readonly object: "chat.completion.chunk"
  readonly created: number
  readonly model: string
  readonly choices: ReadonlyArray<{
    readonly index: number
    readonly delta: {
      readonly role?: string
      readonly content?: string | null
      readonly reasoning_content?: string | null
      readonly tool_calls?: ReadonlyArray<unknown>
    }
    readonly finish_reason: string | null
  }>
  readonly usage?: object | null
}

/** Event of a streamed response, as OpenAI has it; its other fields depend on the type. */
export interface ResponseEvent {
  readonly type: string
  readonly [field: string]: unknown
}

/**
 * A page of a list. Awaiting it reads the page; iterating over it reads all its items, and those of the pages that follow.
 */
export type PagePromise<Page> =
  & Promise<Page>
  & AsyncIterable<Page extends { readonly items: ReadonlyArray<infer Item> } ? Item : never>
