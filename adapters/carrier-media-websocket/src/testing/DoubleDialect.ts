/** A request that a double receives. */
export interface ReceivedRequest {
  readonly method: string
  /** Path with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Content of a request to the API of a provider. */
export type Asked =
  | {
    readonly _tag: "Create"
    readonly from: string
    readonly to: string
    readonly ringSeconds: number
    readonly limitSeconds: number | null
    readonly attempt_id: string | null
    /** Address of the stream, or of the request for it; `panel` where the account has it, and that of reports. */
    readonly stream: { readonly url: string } | { readonly askAt: string } | "panel"
    readonly statusUrl: string
    /** Text that the provider tells again with the call. */
    readonly custom?: string
    /** Address for who answered; null where nobody asked. */
    readonly machineUrl: string | null
    /** Key of the request; null without one. */
    readonly key: string | null
  }
  | { readonly _tag: "End"; readonly id: string }
  | { readonly _tag: "Look"; readonly id: string }
  | { readonly _tag: "Transfer"; readonly id: string; readonly to: string }
  /** A question about the calls of the account. */
  | { readonly _tag: "Query"; readonly answer: (calls: ReadonlyArray<DoubleCallFacts>) => ApiResponse }
  /** A command that answers an inbound call with a stream, or rejects it. */
  | { readonly _tag: "Answer"; readonly id: string; readonly url: string }
  | { readonly _tag: "Reject"; readonly id: string }
  /** A request that the documentation does not have; answered with 400 by default. */
  | { readonly _tag: "Wrong"; readonly problem: string; readonly status?: number }

/** A request without the credentials of the account. */
export const wrongCredentials: Asked = { _tag: "Wrong", problem: "credentials", status: 401 }

/** States of a call of a double. */
export type DoubleState = "queued" | "ringing" | "talking" | "completed" | "busy" | "no_answer" | "failed" | "cancelled"

/** A call as its dialect writes it. */
export interface DoubleCallFacts {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly state: DoubleState
  /** The number does not exist. */
  readonly isInvalid: boolean
  readonly direction: "inbound" | "outbound"
  readonly attempt_id: string | null
  readonly custom: string | null
  /** Epoch milliseconds. */
  readonly since: number
}

/** A request from the double to the host. */
export interface SentRequest {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A response of the API. */
export interface ApiResponse {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A message of the host on a stream. */
export type FromHost =
  /** `order` counts the messages with sound from 1, where the provider asks for that. */
  | { readonly _tag: "Sound"; readonly payload: string; readonly order?: number }
  | { readonly _tag: "Mark"; readonly name: string }
  | { readonly _tag: "Clear" }
  | { readonly _tag: "Keys"; readonly digits: string }
  | { readonly _tag: "Wrong"; readonly problem: string }

/** Instructions of the host for a call. */
export type Instructed = { readonly streamUrl: string } | { readonly rejected: string }

/** Addresses that the panel of an account has. */
export interface DoublePanel {
  readonly streamUrl: string
  readonly statusUrl: string
}

/** Protocol of a provider, from its side, as its documentation has it. */
export interface DoubleDialect {
  readonly provider: string
  readonly newId: (count: number) => string
  /** Reads a request to the API: its address, its credentials and its fields. */
  readonly readRequest: (request: ReceivedRequest) => Asked
  readonly createResponse: (call: DoubleCallFacts) => ApiResponse
  readonly readLookup: (call: DoubleCallFacts) => ApiResponse
  readonly ended: ApiResponse
  /** Response to a request that ends a call which is over; that of one which ends it by default. */
  readonly endedBefore?: ApiResponse
  readonly notFound: ApiResponse
  /** Response to a number that must not be called. */
  readonly refused: ApiResponse
  /** Reports the state of a call; null where the provider reports nothing. */
  readonly status: (call: DoubleCallFacts, url: string) => SentRequest | null
  readonly machine: (call: DoubleCallFacts, url: string, isMachine: boolean) => SentRequest | null
  /** Asks for instructions: for an inbound call, or for the stream of one that was answered. */
  readonly ask: (call: DoubleCallFacts, url: string) => SentRequest
  /** Milliseconds after which the provider gives up an inbound call; none by default. */
  readonly askMillis?: number
  /** Addresses that the panel of an account has for a line, where a call names no addresses. */
  readonly panel?: (lineUrl: string) => DoublePanel
  /** Instructions of a reply; null for an empty one, where commands follow. */
  readonly readInstructions: (body: string) => Instructed | null
  /** True where the stream carries words. */
  readonly isRelay?: boolean
  /** Fields of a token of words that the documentation has; `token`, `last`, `lang` and `interruptible` by default. */
  readonly tokenFields?: ReadonlyArray<string>
  /** False for a relay that does not tell when the agent's voice begins and ends. */
  readonly tellsVoice?: boolean
  /** Milliseconds in which the provider of a relay connects again after a connection broke, and replays events; 0 by default. */
  readonly reconnectMillis?: number
  /** Headers of the handshake of a stream. */
  readonly handshake: (url: string) => Readonly<Record<string, string>>
  readonly rate: number
  readonly decode: (bytes: Uint8Array) => Float32Array
  readonly encode: (samples: Float32Array) => Uint8Array
  /** Milliseconds of sound in a message of the provider. */
  readonly messageMillis: number
  /** Messages at the begin of a stream. */
  readonly begin: (call: DoubleCallFacts, streamId: string) => ReadonlyArray<string>
  readonly sound: (payload: string, order: number, streamId: string) => string
  readonly key: (digit: string, streamId: string) => string
  readonly mark: (name: string, streamId: string) => string
  /** Message at the end of a call; null where the socket only closes. */
  readonly stop: (call: DoubleCallFacts, streamId: string) => string | null
  readonly fromHost: (text: string, streamId: string) => FromHost
  /** True where marks of sound that was cleared are reported, too. */
  readonly marksClearedSound: boolean
}
