import type { AttemptId, PhoneNumber } from "@trunkline/kernel"
import type { CallNews, CallNumbers, Connection, Dedupe, EventReply } from "@trunkline/telephony"
import type { CommonSettings, SettingsReader } from "../settings/ConnectionOptions.js"
import type { AddressedRequest } from "../settings/PublicAddress.js"
import type { StreamFormat } from "./StreamFormat.js"

/** A request to the API of a provider. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "DELETE"
  /** Path below the address of the API, with its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** A form or JSON; absent for none. */
  readonly body?: string
}

/** Form as a body. */
export const formBody = (fields: ReadonlyArray<readonly [name: string, value: string]>) => ({
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: String(new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])))
})

/** JSON as a body. */
export const jsonBody = (value: unknown) => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value)
})

/** Credentials of basic authentication. */
export const basicAuth = (user: string, password: string): Readonly<Record<string, string>> => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`
})

/** A call to create, with the addresses that the provider is given. */
export interface CallToCreate {
  readonly attempt_id: AttemptId
  readonly from: PhoneNumber
  readonly to: PhoneNumber
  /** Seconds of ringing. */
  readonly ringSeconds: number
  /** Seconds after which the provider ends the call, whatever we do; null for none. */
  readonly limitSeconds: number | null
  /** Token of the call's stream. */
  readonly token: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly streamUrl: string
  /** Address of requests about the call: `status`, `answer` or `machine`. */
  readonly eventsUrl: (about: string) => string
}

/** A call as its provider reports it. */
export interface ProviderCall {
  readonly state: "ringing" | "talking" | "over"
  /** Result of a call that is over; null when it was connected or is not known. */
  readonly failure:
    | { readonly status: "busy" | "no_answer" | "failed" | "provider_error"; readonly reason: string | null }
    | null
}

/** News of a call as its provider reports it. */
export const newsOf = ({ failure, state }: ProviderCall): CallNews =>
  state === "ringing"
    ? { _tag: "Ringing" }
    : state === "talking"
    ? { _tag: "Answered" }
    : { _tag: "Ended", status: failure?.status ?? null, reason: failure?.reason ?? null }

/** A request of a provider, parsed. */
export interface Notice {
  readonly method: "GET" | "POST"
  /** Query of the address, and the fields of a form. */
  readonly fields: URLSearchParams
  /** Body of JSON; undefined otherwise. */
  readonly json: unknown
  /** Time of its arrival in epoch milliseconds. */
  readonly now: number
}

/** Content of a request of a provider. */
export type NoticeContent =
  /** A change of a call. */
  | {
    readonly _tag: "Status"
    readonly call_id: string
    readonly attempt_id: string | null
    /** Same on every delivery. */
    readonly event_id: string
    readonly news: CallNews
  }
  /** A person calls; the provider waits for instructions. */
  | { readonly _tag: "Inbound"; readonly call_id: string; readonly from: string; readonly to: string }
  /** A call that we have created was answered; the provider asks for its stream. */
  | { readonly _tag: "Instruct"; readonly token: string }
  /** The provider tells who has answered. */
  | { readonly _tag: "Machine"; readonly call_id: string; readonly isMachine: boolean }
  /** Nothing that matters here. */
  | { readonly _tag: "Other" }

/** Reply to an inbound call, or commands that the provider takes in its place. */
export interface Instructions {
  readonly reply?: EventReply
  /** Sent to the API instead of a reply. */
  readonly command?: ApiRequest
}

/**
 * Ids that the API of a provider gives to calls, where the response to `create` does not tell them. A call of ours has the id of
 * its attempt then, and one that came in the id that the provider asked with.
 */
export interface LateIds {
  /** Remembers a call of an earlier process, so that it is asked for like those of this one. */
  readonly recall: (call_id: string, call: CallNumbers & { readonly isInbound: boolean }) => void
  /** Id of the API for a call; null while it is not known. */
  readonly of: (call_id: string) => string | null
  /**
   * Requests whose responses may tell it, in their order: among calls in progress, or also those that are over. `now` is in epoch
   * milliseconds.
   */
  readonly requests: (call_id: string, among: "live" | "all", now: number) => ReadonlyArray<ApiRequest>
  /** Learns the id of a call from a response to one of these. */
  readonly learn: (call_id: string, json: unknown) => void
}

/** A line of a provider: its settings and what they make of the provider's API. */
export interface DialectLine {
  readonly settings: CommonSettings
  readonly apiUrl: string
  /** Secret from which tokens are made. */
  readonly tokenSecret: string
  /** Headers of every request. */
  readonly authorization: Readonly<Record<string, string>>
  readonly create: (call: CallToCreate) => ApiRequest
  /** Id of the call that a response to `create` tells; null for a response without one. */
  readonly readCallId: (json: unknown) => string | null
  /**
   * Outcome of a refusal of `create` by its body, also of one with a status of success and no id; the default is an error of the
   * provider with the status, and an unclear outcome after success.
   */
  readonly readRefusal?: (
    json: unknown
  ) => { readonly status?: "busy" | "no_answer" | "failed"; readonly reason: string } | null
  /** Absent where the response to `create` tells the id of the call, by which the requests below know it. */
  readonly lateIds?: LateIds
  /** Ends a call; the first request that is not answered with 404 counts. */
  readonly end: (call_id: string) => ReadonlyArray<ApiRequest>
  /** Looks a call up; the first request counts whose response tells about the call. */
  readonly lookUp: (call_id: string) => ReadonlyArray<ApiRequest>
  /** Reads a response to `lookUp`; null when it does not tell about the call. */
  readonly readLookup: (json: unknown, call_id: string) => ProviderCall | null
  /** Connects a call to another number, where the provider can. */
  readonly transfer?: (call_id: string, to: PhoneNumber) => ApiRequest
  /** True for a request that is proven to come from the provider. */
  readonly isAuthentic: (request: AuthenticRequest) => boolean
  /** False for a stream that is proven to come from somebody else; absent where the token of its address is all there is. */
  readonly isAuthenticStream?: (address: string, headers: Readonly<Record<string, string>>) => boolean
  /** True for the last segment of the address to which all streams of the line come; absent where each has an address. */
  readonly isFixedStream?: (segment: string) => boolean
  /** Reads what a request tells; null when it cannot be read. */
  readonly read: (notice: Notice) => NoticeContent | null
  /** Instructions that connect a call with its stream. */
  readonly connect: (call_id: string | null, streamUrl: string) => Instructions
  /** Instructions that reject an inbound call. */
  readonly reject: (call_id: string, reason: string) => Instructions
  /** Milliseconds for the decision on an inbound call, before the provider gives it up; 3,500 by default. */
  readonly decisionMillis?: number
  /** Protocol of the stream. */
  readonly stream: StreamFormat
}

/** A request whose origin is checked. */
export interface AuthenticRequest extends AddressedRequest {
  readonly method: "GET" | "POST"
  /** Address that the provider has asked for. */
  readonly address: string
  readonly fields: URLSearchParams
  readonly body: Uint8Array
  /** Epoch milliseconds. */
  readonly now: number
}

/** A provider that streams calls over WebSockets. */
export interface Dialect {
  /** Name that connections refer to in `provider`. */
  readonly provider: string
  readonly dedupe: Dedupe
  /** Reads the options of a line; on the left, one line for each mistake, without values. */
  readonly lineOf: SettingsReader<DialectLine>
}

/** A line with its connection. */
export interface OpenLine extends DialectLine {
  readonly provider: string
  readonly connection: Connection
}
