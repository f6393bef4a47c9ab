import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer as createTcpServer } from "node:net"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { bun, bunRuns } from "../../../../test/setup/Bun.js"
import { listening, rawServer, read } from "./LocalServer.js"
import { closedAnswers, closedHosts } from "./Vectors.js"

/** Runs a script with Bun and returns its exit code and output, one line of JSON for each result. */
const ran = (script: string, ...args: ReadonlyArray<unknown>) =>
  Effect.async<{ readonly code: number | null; readonly written: ReadonlyArray<unknown> }>((resume) => {
    const path = fileURLToPath(new URL(script, import.meta.url))
    const child = spawn(bun, ["--conditions=@trunkline/source", path, ...args.map(String)], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    let text = ""
    child.stdout.on("data", (piece) => {
      text += String(piece)
    })
    child.on("close", (code) =>
      resume(Effect.sync(() => ({
        code,
        written: text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line))
      }))))
    return Effect.sync(() => child.kill())
  })

const text = "phone\n".repeat(1700)
const bomb = Buffer.alloc(4 * 1024 * 1024)

const bodies: Readonly<Record<string, readonly [encoding: string, body: Uint8Array]>> = {
  "/gzip": ["gzip", gzipSync(text)],
  "/deflate": ["deflate", deflateSync(text)],
  "/br": ["br", brotliCompressSync(text)],
  "/bomb-gzip": ["gzip", gzipSync(bomb)],
  "/bomb-br": ["br", brotliCompressSync(bomb)],
  "/cut": ["gzip", gzipSync(text).subarray(0, -4)]
}

const answer = async (request: IncomingMessage, response: ServerResponse) => {
  const zipped = bodies[request.url ?? ""]
  if (zipped !== undefined) return response.writeHead(200, { "content-encoding": zipped[0] }).end(zipped[1])
  switch (request.url) {
    case "/where":
      return response.writeHead(200, {
        "x-reached": request.socket.localAddress,
        "x-host": request.headers.host
      }).end()
    case "/echo":
      response.writeContinue()
      response.writeProcessing()
      return response.writeHead(202, { "x-body": String(await read(request)) }).end("thanks")
    case "/moved":
      return response.writeHead(307, { location: "/elsewhere" }).end()
    case "/moved-to-file":
      return response.writeHead(302, { location: "file:///etc/passwd" }).end()
    case "/stall":
      return response.writeHead(200).write("a")
    case "/trickle": {
      const timer = setInterval(() => response.write("a"), 10)
      return response.on("close", () => clearInterval(timer))
    }
    case "/endless": {
      const more = () => {
        while (!response.destroyed && response.write(new Uint8Array(65_536)));
      }
      response.writeHead(200).on("drain", more)
      return more()
    }
    default:
      response.writeContinue()
      return response.end(text)
  }
}

/** Each with and without TLS, including names in the hosts file. */
const urls = 2 * (closedHosts.flatMap(([, hosts]) => hosts).length + 2 + closedAnswers.length)

describe.skipIf(!bunRuns)("under Bun, whose own stand-in for undici knows no guard", () => {
  it.scopedLive(
    "rejects internal addresses, and reaches public ones within the same limits",
    () =>
      Effect.gen(function*() {
        let connections = 0
        const closed = yield* listening(
          createTcpServer((socket) => {
            connections++
            socket.on("error", () => {}).destroy()
          }),
          "0.0.0.0"
        )
        const paths: Array<string | undefined> = []
        const open = yield* listening(
          createServer((request, response) => {
            paths.push(request.url)
            void answer(request, response)
          }),
          "0.0.0.0"
        )
        const silent = yield* rawServer(() => {})
        const { code, written } = yield* ran("BunScript.ts", closed, open, silent)
        assert.deepStrictEqual(written, [
          { refusals: [2 * urls, ["the host is not on the public internet"]] },
          { pinned: ["127.0.0.2", true, ["localhost"]] },
          { post: [202, "hook"] },
          { "post, moved": 307 },
          { "post, endless": 200 },
          { "post, slow": "the response timed out" },
          { "post, slow": "the response timed out" },
          { plain: text.length },
          { gzip: text.length },
          { deflate: text.length },
          { br: text.length },
          { large: "too_large: more than 9999 bytes" },
          { "large, zipped": "too_large: more than 9999 bytes" },
          { endless: "too_large: more than 1048576 bytes" },
          { "bomb-gzip": "too_large: more than 100 times its size when decompressed" },
          { "bomb-br": "too_large: more than 100 times its size when decompressed" },
          { cut: "network: the compression of the response is damaged" },
          { moved: "refused: the response is a redirect, which is not followed" },
          { "moved, to a file": "refused: rejected URL: Should be an absolute https or http URL" },
          { silent: "too_slow: the response did not arrive within 100ms" },
          { stall: "too_slow: the response did not arrive within 100ms" },
          { trickle: "too_slow: the response did not arrive within 100ms" },
          { nobody: "network: the connection was refused" },
          { closed: true }
        ])
        assert.strictEqual(connections, 0, "nobody connected to find out")
        assert.notInclude(paths, "/elsewhere")
        assert.strictEqual(code, 0, "the layer closed, and left nothing that keeps the process")
      })
  )
})
