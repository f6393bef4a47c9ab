import { assert } from "@effect/vitest"
import { createClient, type TrunklineClient, TrunklineError } from "@trunkline/client"
import { testKeys } from "@trunkline/http-api/testing"
import type { Served } from "./Ways.js"

/** Answer that a client has read, as it was on the wire. The text of streams and files is empty. */
interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A client, and the last answer that it has got. */
export interface Remote {
  readonly trunkline: TrunklineClient
  readonly last: () => Answer
}

interface RemoteOptions {
  readonly key?: string
  readonly workspace?: string
}

/** Makes a client of a server, once it is there. It never retries, and checks that every answer has a request id. */
export const remoteOf = (
  { url }: Pick<Served, "url">,
  { key = testKeys.main, workspace = "acme/main" }: RemoteOptions = {}
): Remote => {
  let answer: Answer | undefined
  const trunkline = createClient({
    baseUrl: url,
    apiKey: key,
    workspace,
    maxRetries: 0,
    fetch: async (address, request) => {
      const response = await fetch(address, request)
      const { headers, status } = response
      assert.match(headers.get("x-request-id") ?? "", /^\d{8}_[0-9a-f-]{36}$/)
      const isJson = headers.get("content-type") === "application/json"
      answer = { status, headers, text: isJson ? await response.clone().text() : "" }
      return response
    }
  })
  return { trunkline, last: () => answer ?? assert.fail("Nothing was sent") }
}

/** The error with which a method of the client rejects. */
export const refusal = async (work: Promise<unknown>): Promise<TrunklineError> => {
  const failure = await work.then(() => assert.fail("It was not refused"), (error: unknown) => error)
  return failure instanceof TrunklineError ? failure : assert.fail(String(failure))
}

/** Paths among the arguments of a method, and types of the issues of a refusal. */
export const issuesOf = ({ issues }: TrunklineError): ReadonlyArray<readonly [loc: unknown, type: string]> =>
  issues.map(({ loc, type }) => [loc, type])
