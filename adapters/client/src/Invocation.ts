import { chunksOf, eventsOf } from "./Events.js"
import { formBody, type RequestBody } from "./Forms.js"
import type { ByteStream, CallOptions } from "./Results.js"
import type { HttpAnswer, Transport } from "./Transport.js"
import { type FieldError, TrunklineError } from "./TrunklineError.js"
import { pathOfWorkspace } from "./Workspace.js"

/** Arguments of a method: path parameters, then the body and the query that the operation takes, then options. */
export type MethodArguments = ReadonlyArray<unknown>

/** A route of the HTTP interface. */
export interface Route {
  readonly method: string
  readonly path: string
  /** Names of the path parameters other than those of the workspace. */
  readonly ids: ReadonlyArray<string>
  readonly body: "json" | "form" | "none"
  readonly hasQuery: boolean
  readonly isPaged: boolean
  /** True when its answer is bytes of any type. */
  readonly isBytes: boolean
}

/** Reads a route as the generated table has it. */
export const routeOf = (text: string): Route => {
  const [method = "", path = "", ...flags] = text.split(" ")
  return {
    method,
    path,
    ids: Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name).filter((name) =>
      !/^(org|workspace)_id$/.test(name)
    ),
    body: flags.includes("json") ? "json" : flags.includes("form") ? "form" : "none",
    hasQuery: flags.includes("query"),
    isPaged: flags.includes("page"),
    isBytes: flags.includes("bytes")
  }
}

/** Runs an operation with the arguments of a method. */
export type Invoke = (route: Route, givenArguments: MethodArguments) => Promise<unknown>

/** Server of a client, and the way to it. */
export interface InvokeOptions {
  readonly transport: Transport
  readonly baseUrl: string
  /** Workspace as `org/workspace` where options name none. */
  readonly workspace: string
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const textOf = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : typeof value === "object" ? JSON.stringify(value) : String(value)

const searchOf = (query: unknown): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(isObject(query) ? query : {})) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, textOf(one))
  }
  return search.size === 0 ? "" : `?${search}`
}

/** Fails where an id is no text, or would lead to another path. */
const checkIds = ({ ids }: Route, args: MethodArguments): void => {
  const issues = ids.flatMap((name, index): ReadonlyArray<FieldError> => {
    const id = args[index]
    if ((name === "app_version" && Number.isSafeInteger(id)) || (typeof id === "string" && !/^\.{0,2}$/.test(id))) {
      return []
    }
    return [{ loc: [name], msg: "Must be an id, as a string", type: "string_type" }]
  })
  if (issues.length === 0) return
  const message = issues.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("\n")
  throw new TrunklineError({ message, code: "validation_error", status: null, issues })
}

const optionNames: ReadonlyArray<string> = ["workspace", "signal", "timeout"]

/** Reads the options of a method; those that do not exist are mistakes. */
export const readOptions = (value: unknown, names: ReadonlyArray<string> = optionNames): CallOptions => {
  const options = value ?? {}
  const unknownName = isObject(options) ? Object.keys(options).find((name) => !names.includes(name)) : undefined
  if (!isObject(options) || unknownName !== undefined) {
    throw new TypeError(`There is no option ${String(unknownName ?? options)}: the options are ${names.join(", ")}`)
  }
  return options
}

const bodyOf = ({ body }: Route, value: unknown): RequestBody | undefined => {
  if (body === "none") return undefined
  return body === "form" && isObject(value)
    ? formBody(value)
    : { body: JSON.stringify(value), type: "application/json" }
}

/** Items of the body of an answer, for as long as they come. */
export async function* streamed<A>({ broken, end, release }: HttpAnswer, items: AsyncIterable<A>): AsyncGenerator<A> {
  release()
  try {
    yield* items
  } catch (error) {
    throw error instanceof TrunklineError ? error : broken(error)
  } finally {
    end()
  }
}

/** The body of an answer as bytes that come. */
const byteStream = (answer: HttpAnswer): ByteStream => {
  const { response } = answer
  answer.release()
  const chunks = streamed(answer, chunksOf(response.body))
  return {
    contentType: response.headers.get("content-type") ?? "",
    bytes: async () => {
      const pieces: Array<Uint8Array<ArrayBuffer>> = []
      for await (const chunk of chunks) pieces.push(new Uint8Array(chunk))
      return new Uint8Array(await new Blob(pieces).arrayBuffer())
    },
    [Symbol.asyncIterator]: () => chunks
  }
}

const parseJson = (text: string, { headers, status }: Response): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new TrunklineError({
      message: `The server answered ${status} with something that is not JSON: is the base URL right?`,
      code: "invalid_answer",
      status,
      requestId: headers.get("x-request-id"),
      cause
    })
  }
}

const valueOf = async (answer: HttpAnswer, { isBytes }: Route): Promise<unknown> => {
  const { release, response, text } = answer
  if (isBytes) return byteStream(answer)
  const type = response.headers.get("content-type") ?? ""
  if (type.startsWith("text/event-stream")) {
    release()
    return streamed(answer, eventsOf(response))
  }
  const body = await text()
  return body === "" ? undefined : parseJson(body, response)
}

/** Makes the function that runs operations over HTTP. */
export const makeInvoke = ({ baseUrl, transport, workspace }: InvokeOptions): Invoke => async (route, args) => {
  checkIds(route, args)
  const rest = [...args]
  const ids = route.ids.map(() => encodeURIComponent(String(rest.shift())))
  const value = route.body === "none" ? undefined : rest.shift() ?? {}
  const query = route.hasQuery ? rest.shift() : undefined
  const options = readOptions(rest.shift())
  const { org, workspace: name } = pathOfWorkspace(options.workspace ?? workspace)
  const path = route.path.replace("{org_id}", org).replace("{workspace_id}", name).replaceAll(
    /\{\w+\}/g,
    () => ids.shift() ?? ""
  )
  const answer = await transport.send({
    method: route.method,
    url: `${baseUrl}${path}${searchOf(query)}`,
    body: bodyOf(route, value),
    signal: options.signal,
    timeout: options.timeout
  })
  return valueOf(answer, route)
}
