/** Options of every method. */
export interface CallOptions {
  /** Workspace as `org/workspace`; by default the one of the client. */
  readonly workspace?: string
  /** Ends the operation; the promise then rejects with the reason of the signal, and a stream ends. */
  readonly signal?: AbortSignal
  /** Milliseconds that each try may take until it is answered; by default those of the client. Streams may last longer. */
  readonly timeout?: number
}

/** A file to upload: bytes, text, a `Blob` such as a browser's `File` or that of `openAsBlob`, or a stream of bytes. */
export type FileInput = Blob | Uint8Array | string | AsyncIterable<Uint8Array>

/** Bytes that arrive as they are made. Leaving the loop ends their source. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Content type, such as `audio/wav`. */
  readonly contentType: string
  /** Waits for all bytes. */
  readonly bytes: () => Promise<Uint8Array>
}

/** Events that arrive as they happen. Leaving the loop ends their source. */
export type EventStream<Event> = AsyncIterable<Event>

/**
 * A page of a list. Awaiting it reads the page; iterating over it reads all its items, and those of the pages that follow.
 */
export type PagePromise<Page> =
  & Promise<Page>
  & AsyncIterable<Page extends { readonly items: ReadonlyArray<infer Item> } ? Item : never>
