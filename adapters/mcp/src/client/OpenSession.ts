import type { FetchLike, Transport } from "@modelcontextprotocol/client"
import { AsyncLocalStorage } from "node:async_hooks"
import type { OpenSession } from "./McpSession.js"
import type { McpServer } from "./McpSettings.js"
import { makeToolSieve } from "./ToolSieve.js"

/** Longest message of a server in bytes; a longer one ends the session. */
const maxMessageBytes = 4 * 1_048_576

/** Time of a request that its own signal has not ended, in milliseconds. */
const maxRequestMillis = 610_000

/** Time until a server over standard input counts as one of the protocol before 2026-07-28, in milliseconds. */
const probe = 2_000

/** Gives up the use of a tool that a request is for. */
type GiveUp = (reason: Error) => void

/**
 * The use of a tool during which a request is sent: the library waits for the answer of a stream that broke, so a use whose
 * answer is too long is given up here.
 */
const currentUse = new AsyncLocalStorage<GiveUp>()

/** A response whose body fails once it is longer than a message may be. */
const limitBody = (response: Response): Response => {
  const giveUp = currentUse.getStore()
  if (response.body === null) return response
  let bytes = 0
  const limitedStream = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytes += chunk.byteLength
        if (bytes <= maxMessageBytes) {
          controller.enqueue(chunk)
          return
        }
        const reason = new Error(`its answer is longer than ${maxMessageBytes} bytes`)
        controller.error(reason)
        giveUp?.(reason)
      }
    })
  )
  const { headers, status, statusText } = response
  return new Response(limitedStream, { headers, status, statusText })
}

/** `fetch` with bounded answers. A stream of events that is asked for with GET goes on and has no bound. */
const boundedFetch: FetchLike = async (url, init) => {
  const response = await fetch(url, init)
  return init?.method === "POST" ? limitBody(response) : response
}

const transportOf = async (server: McpServer): Promise<Transport> => {
  if (server.url !== undefined) {
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client")
    return new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers: { ...server.headers } },
      fetch: boundedFetch
    })
  }
  const { getDefaultEnvironment, StdioClientTransport } = await import("@modelcontextprotocol/client/stdio")
  return new StdioClientTransport({
    command: server.command ?? "",
    args: [...server.args ?? []],
    env: { ...getDefaultEnvironment(), ...server.env },
    stderr: "ignore",
    maxBufferSize: maxMessageBytes,
    ...(server.cwd !== undefined && { cwd: server.cwd })
  })
}

/**
 * Opens a session with the library, which is loaded now: by the protocol of 2026-07-28 where the server speaks it, else by that
 * of 2025.
 */
export const openSession: OpenSession = async (server, { onClosed, onToolsChanged }, signal) => {
  const { Client, specTypeSchemas } = await import("@modelcontextprotocol/client")
  // The default one compiles schemas with `eval`, which strict hosts forbid.
  const { CfWorkerJsonSchemaValidator } = await import("@modelcontextprotocol/client/validators/cf-worker")
  const client = new Client({ name: "trunkline", version: "1" }, {
    versionNegotiation: { mode: "auto", probe: { timeoutMs: probe } },
    jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
    listChanged: { tools: { autoRefresh: false, debounceMs: 100, onChanged: onToolsChanged } }
  })
  client.onclose = onClosed
  client.onerror = () => {}
  const transport = await transportOf(server)
  const sieve = makeToolSieve({
    schema: specTypeSchemas.Tool,
    isLegacy: () => client.getProtocolEra() !== "modern"
  })
  sieve.watch(transport)
  await client.connect(transport, { signal })
  return {
    listTools: async (signal) => {
      sieve.clear()
      const { tools } = await client.listTools({}, { signal, cacheMode: "refresh" })
      return [...sieve.faulty(), ...tools]
    },
    callTool: (name, args, signal) => {
      const use = new AbortController()
      const options = { signal: AbortSignal.any([signal, use.signal]), timeout: maxRequestMillis }
      return currentUse.run(
        (reason) => use.abort(reason),
        () => client.callTool({ name, arguments: { ...args } }, options)
      )
    },
    close: () => client.close()
  }
}
