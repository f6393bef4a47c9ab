import { computed } from "@preact/signals"
import { type ByteStream, createClient, type Fetch, type TrunklineClient } from "@trunkline/client"
import { apiPath, place } from "../state/location.js"
import { key, signOut } from "../state/session.js"
import { note, type PageRequest } from "./requests.js"

/** Method of the client that is being called: it sends its request before it returns. */
let calling: Pick<PageRequest, "operation" | "args"> | null = null

const isKeyRefused = async (response: Response): Promise<boolean> =>
  response.status === 401 ||
  (response.status === 403 && (await response.clone().text()).includes("invalid_api_key_error"))

/** Sends a request, and ends the session when its key is refused. */
const send: Fetch = async (url, request) => {
  if (calling !== null) note({ ...calling, url, method: request.method ?? "GET", body: request.body })
  const response = await fetch(url, { ...request, credentials: "omit" })
  if (await isKeyRefused(response)) {
    signOut("The server does not know this key, or it was revoked. Sign in with another one.")
  }
  return response
}

/** Makes a client of the present workspace; pages use `client`. Retries are the pages' own, which say that they wait. */
export const clientWith = (fetch: Fetch): TrunklineClient =>
  createClient({
    baseUrl: location.origin + apiPath,
    apiKey: key.value ?? "none",
    workspace: `${place.value.org}/${place.value.workspace}`,
    maxRetries: 0,
    fetch
  })

const isMethod = (value: unknown): value is (...args: ReadonlyArray<unknown>) => unknown => typeof value === "function"

/** Remembers which method is called with what, so that a page can show its requests as code. */
const watched = <A extends object>(resource: A, name: string): A =>
  new Proxy(resource, {
    get: (target, method) => {
      const run: unknown = Reflect.get(target, method)
      if (!isMethod(run) || typeof method !== "string") return run
      return (...args: ReadonlyArray<unknown>) => {
        calling = { operation: `${name}.${method}`, args }
        try {
          return run(...args)
        } finally {
          calling = null
        }
      }
    }
  })

const current = computed((): TrunklineClient =>
  new Proxy(clientWith(send), {
    get: (target, name) => {
      const resource: unknown = Reflect.get(target, name)
      return typeof resource === "object" && resource !== null ? watched(resource, String(name)) : resource
    }
  })
)

/** The client of the key and the workspace of this moment. */
export const api = (): TrunklineClient => current.peek()

/** Sound or a file that the client gives as bytes, as a blob. */
export const blobOf = async (bytes: Promise<ByteStream>): Promise<Blob> => {
  const stream = await bytes
  return new Blob([new Uint8Array(await stream.bytes())], { type: stream.contentType })
}
