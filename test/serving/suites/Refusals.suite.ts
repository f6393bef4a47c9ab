import { assert, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { once } from "node:events"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { isFullSize } from "../../setup/Scale.js"
import { workspace } from "../Client.js"
import { served, type Way } from "../Ways.js"

const piece = Buffer.alloc(1_048_576, " ")

/** More than a connection holds, and than any host reads ahead by itself. */
const pieces = isFullSize ? 200 : 24

const length = `content-length: ${pieces * piece.length}`
const key = `api-subscription-key: ${testKeys.main}`
const json = "content-type: application/json"

/** Requests that are refused before their body is read, or while it is. */
const refusals = [
  { why: "its declared length", status: 413, path: `${workspace}/outbounds`, headers: [key, json, length] },
  {
    why: "its length, on a connection that closes",
    status: 413,
    path: `${workspace}/outbounds`,
    headers: [key, json, length, "connection: close"]
  },
  {
    why: "its length while it arrives",
    status: 413,
    path: `${workspace}/outbounds`,
    headers: [key, json, "transfer-encoding: chunked"]
  },
  {
    why: "its length while it arrives, as an event of a carrier",
    status: 413,
    path: "/v1/connections/sim-1/events",
    headers: ["transfer-encoding: chunked"]
  },
  { why: "its key", status: 403, path: `${workspace}/deployments/x/cohorts/upload`, headers: [length] },
  { why: "its content type", status: 415, path: `${workspace}/deployments/x/cohorts/upload`, headers: [key, length] },
  {
    why: "its method",
    status: 405,
    path: `${workspace}/calls/live`,
    headers: [key, "transfer-encoding: chunked", "connection: close"]
  }
]

/** Refusals of bodies that are still being sent (RFC 9112, section 9.6). Raw HTTP, since its subject is the wire. */
export const refusalsSuite = (way: Way) =>
  describe(`refusing large bodies over ${way.name}`, () => {
    const server = served(way)

    /** Sends a request to its end before it reads anything, as many clients do, and returns the response. */
    const sendAll = async (path: string, headers: ReadonlyArray<string>) => {
      const { hostname, pathname, port } = new URL(server.url)
      const socket = connect(Number(port), hostname)
      const head = [`POST ${pathname.replace(/\/$/, "")}${path} HTTP/1.1`, "host: here", ...headers]
      const isChunked = headers.includes("transfer-encoding: chunked")
      const closed = once(socket, "close")
      const send = (bytes: Uint8Array | string) =>
        socket.write(bytes) ? undefined : Promise.race([once(socket, "drain"), closed])
      let failure: unknown = null
      socket.on("error", (error) => failure = error)
      await send(`${head.join("\r\n")}\r\n\r\n`)
      for (let sentCount = 0; sentCount < pieces; sentCount++) {
        if (isChunked) await send("100000\r\n")
        await send(piece)
        if (isChunked) await send("\r\n")
      }
      if (isChunked) await send("0\r\n\r\n")
      assert.isNull(failure)
      const received = text(socket)
      // Ends a connection that stays open: its next request closes it.
      if (!headers.includes("connection: close")) {
        socket.write(`GET ${pathname.replace(/\/$/, "")}/health HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n`)
      }
      return received
    }

    it.each(refusals)(
      "reaches a client that reads only after it has sent: for $why",
      async ({ headers, path, status }) => {
        const response = await sendAll(path, headers)
        assert.match(response, new RegExp(`^HTTP/1.1 ${status} [^]*"error"`))
      }
    )
  })
