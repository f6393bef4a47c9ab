import { Invalid, type Issue } from "@trunkline/errors"
import type { Operation, OperationInput, OperationResult } from "@trunkline/http-api"
import { Array, Effect, Exit, Predicate, Scope, Stream } from "effect"
import { createParser } from "eventsource-parser"
import type { ByteStream, CallOptions } from "../Results.js"
import { callerOf } from "./Callers.js"
import { checkCallOptions, optionFields, signalOf } from "./CallOptions.js"
import { withOwnPaths } from "./IssuePaths.js"
import type { Runner } from "./Runner.js"

/** Arguments of a method: path parameters, then the body and the query that the operation takes, then options. */
export type MethodArguments = ReadonlyArray<unknown>

/** Runs an operation of the HTTP interface with the arguments of a method. */
export type Invoke = (operation: Operation, args: MethodArguments) => Promise<unknown>

type Query = OperationInput["query"]

/** Writes the values of a query as a URL would hold them. */
const queryText = (query: object): Query =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]: [string, unknown]) =>
      value === undefined
        ? []
        : [[
          name,
          Array.isArray(value) ? value.map(String) : typeof value === "object" ? JSON.stringify(value) : `${value}`
        ]]
    )
  )

const isBytes = (value: unknown): value is Blob | Uint8Array => value instanceof Blob || value instanceof Uint8Array

/** Writes the fields of a body as a form. Bytes become files. */
const formOf = (body: object): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined || value === null) continue
    if (isBytes(value) || /file$|audio$/.test(name)) {
      const blob = value instanceof Blob ? value : new Blob([value])
      form.append(name, blob, value instanceof File ? value.name : name)
    } else {
      form.append(name, typeof value === "object" ? JSON.stringify(value) : String(value))
    }
  }
  return form
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** Deepest objects in which dates are looked for. */
const deepest = 32

/**
 * A value with the text of its dates and of whatever else says how it is written in JSON, as operations read it; the value
 * itself where it has none.
 */
const withoutDates = (value: unknown, depth = 0): unknown => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString()
  if (!isObject(value) || depth > deepest || ArrayBuffer.isView(value)) return value
  const toJson: unknown = Reflect.get(value, "toJSON")
  if (typeof toJson === "function") return withoutDates(Reflect.apply(toJson, value, []), depth + 1)
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutDates(item, depth + 1))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const entries = Object.entries(value).map(([name, field]) => [name, withoutDates(field, depth + 1)] as const)
  return entries.some(([name, field]) => field !== Reflect.get(value, name)) ? Object.fromEntries(entries) : value
}

/** Fails with `Invalid` when an id among the first arguments is no text, or the query is no object. */
const checkArguments = (
  { body, hasQuery, parameters }: Operation,
  args: MethodArguments
): Effect.Effect<void, Invalid> => {
  const query = args[parameters.length + (body === "none" ? 0 : 1)]
  if (hasQuery && query !== undefined && !Predicate.isReadonlyRecord(query)) {
    return Invalid.at(["query"], "object_type", "Must be an object")
  }
  const issues = parameters.flatMap((name, index): ReadonlyArray<Issue> =>
    typeof args[index] === "string" || (name === "app_version" && Number.isSafeInteger(args[index]))
      ? []
      : [{ loc: [name], msg: "Must be an id, as a string", type: "string_type" }]
  )
  return Array.isNonEmptyReadonlyArray(issues) ? new Invalid({ issues }) : Effect.void
}

/** Splits the arguments of a method into the parts of a request. */
const partsOf = (operation: Operation, args: MethodArguments) => {
  const rest = [...args]
  const path = Object.fromEntries(operation.parameters.map((name) => [name, String(rest.shift())]))
  const body = operation.body === "none" ? undefined : withoutDates(rest.shift() ?? {})
  const query = operation.hasQuery ? withoutDates(rest.shift()) : undefined
  const [options = {}] = rest
  return {
    path,
    query: isObject(query) ? queryText(query) : {},
    body: operation.body === "form" && isObject(body) ? formOf(body) : body,
    options: options as CallOptions
  }
}

const concat = async (chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const pieces: Array<Uint8Array> = []
  for await (const chunk of chunks) pieces.push(chunk)
  return Buffer.concat(pieces)
}

/** Iterates over the events of an event stream, parsed from JSON; the marker `[DONE]` is no event. */
async function* eventsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator {
  const events: Array<unknown> = []
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== "[DONE]") events.push(JSON.parse(data))
    }
  })
  const decoder = new TextDecoder()
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    yield* events.splice(0)
  }
}

/** Makes the function that runs operations. `defaultWorkspace` is used where options name none. */
export const makeInvoke = ({ iterate, run }: Runner, defaultWorkspace: string): Invoke => {
  const valueOf = (result: OperationResult, scope: Scope.CloseableScope): unknown => {
    switch (result._tag) {
      case "Value":
        return result.value
      case "Bytes": {
        const { bytes, contentType } = result
        const whole: ByteStream = {
          contentType,
          bytes: async () => bytes,
          async *[Symbol.asyncIterator]() {
            yield bytes
          }
        }
        return whole
      }
      case "Stream": {
        const { contentType } = result
        const chunks = iterate(Stream.ensuringWith(result.bytes, (exit) => Scope.close(scope, exit)))
        if (contentType.startsWith("text/event-stream")) return eventsOf(chunks)
        const byteStream: ByteStream = {
          contentType,
          bytes: () => concat(chunks),
          [Symbol.asyncIterator]: () => chunks[Symbol.asyncIterator]()
        }
        return byteStream
      }
    }
  }

  return (operation, args) => {
    const { options, ...parts } = partsOf(operation, args)
    const { workspace = defaultWorkspace } = options
    return run(
      Effect.gen(function*() {
        yield* checkArguments(operation, args)
        yield* checkCallOptions(options, { fields: optionFields })
        const call = yield* callerOf(workspace)
        const scope = yield* Scope.make()
        const result = yield* operation.run({ ...parts, ...call }).pipe(
          Effect.mapError((failure) => withOwnPaths(failure)),
          Scope.extend(scope),
          Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
        )
        if (result._tag !== "Stream") yield* Scope.close(scope, Exit.void)
        return valueOf(result, scope)
      }),
      signalOf(options)
    )
  }
}
