import { assert, describe, it } from "@effect/vitest"
import { testEngine, testKeys } from "@trunkline/http-api/testing"
import { serve } from "@trunkline/node-http"
import { once } from "node:events"
import { connect } from "node:net"
import { text } from "node:stream/consumers"

const workspace = "/v1/orgs/acme/workspaces/main"
const form = `--b\r\ncontent-disposition: form-data; name="name"\r\n\r\nJune`

const requests = [
  { name: "JSON", type: "application/json", path: `${workspace}/outbounds`, length: "content-length: 100", body: "{" },
  {
    name: "JSON in chunks",
    type: "application/json",
    path: `${workspace}/outbounds`,
    length: "transfer-encoding: chunked",
    body: "1\r\n{\r\n"
  },
  {
    name: "a form",
    type: "multipart/form-data; boundary=b",
    path: "/voices/create",
    length: "content-length: 1000",
    body: form
  }
]

describe("a body that arrives too slowly", () => {
  it.each(requests)("is answered with what to do: $name", async ({ body, length, path, type }) => {
    const server = await serve(testEngine, { port: 0, bodyPace: { idleTimeout: 50, minimumRate: 2_000 } })
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1")
    const head = [`POST ${path} HTTP/1.1`, "host: here", `authorization: Bearer ${testKeys.main}`]
    socket.write(`${[...head, `content-type: ${type}`, length, "connection: close"].join("\r\n")}\r\n\r\n${body}`)
    const answer = text(socket)
    socket.once("data", () => socket.end())
    assert.match(
      await answer,
      /^HTTP\/1.1 4\d\d [^]*too slowly. Send at least 2000 bytes a second, without pauses of 0.05 seconds/
    )
    await server.close()
  })
})

describe("a body in chunks of one byte", () => {
  it.each(requests.filter(({ body }) => body !== form))(
    "is cut, and others do not wait for it: $path",
    async ({ path }) => {
      const server = await serve(testEngine, { port: 0 })
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1")
      const answer = text(socket).catch(() => "")
      socket.on("error", () => {})
      const head = [`POST ${path} HTTP/1.1`, "host: here", `authorization: Bearer ${testKeys.main}`]
      socket.write(`${[...head, "content-type: application/json", "transfer-encoding: chunked"].join("\r\n")}\r\n\r\n`)
      const chunks = "1\r\n \r\n".repeat(1_000)
      let sentCount = 0
      while (!socket.destroyed && sentCount < 10_000_000) {
        sentCount += chunks.length
        await new Promise((resume) => socket.write(chunks, resume))
      }
      assert.isBelow(sentCount, 10_000_000)
      assert.match(`${await answer} `, /^ $|^HTTP\/1.1 4\d\d [^]*chunks of a few bytes/)
      await server.close()
    }
  )

  it("is no more than one of a kilobyte, many of which come at once", async () => {
    const server = await serve(testEngine, { port: 0 })
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1")
    const head = ["POST /v1/chat/completions HTTP/1.1", "host: here", `authorization: Bearer ${testKeys.main}`]
    const json = JSON.stringify({ model: "core-105b", messages: [{ role: "user", content: "x".repeat(200_000) }] })
    const chunks = json.match(/.{1,1000}/g) ?? []
    const type = ["content-type: application/json", "transfer-encoding: chunked", "connection: close"]
    const body = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("")
    socket.write(`${[...head, ...type].join("\r\n")}\r\n\r\n${body}0\r\n\r\n`)
    assert.notInclude(await text(socket), "chunks of a few bytes")
    await server.close()
  })

  it("is read where it is small", async () => {
    const server = await serve(testEngine, { port: 0 })
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1")
    const head = ["POST /v1/chat/completions HTTP/1.1", "host: here", `authorization: Bearer ${testKeys.main}`]
    const body = Array.from(
      JSON.stringify({ model: "core-105b", messages: [{ role: "user", content: "x".repeat(5_000) }] })
    )
    socket.write(
      `${
        [...head, "content-type: application/json", "transfer-encoding: chunked"].join("\r\n")
      }\r\nconnection: close\r\n\r\n`
    )
    socket.write(`${body.map((letter) => `1\r\n${letter}\r\n`).join("")}0\r\n\r\n`)
    assert.match(await text(socket), /^HTTP\/1.1 200 /)
    await server.close()
  })
})

describe("a rejected body without end", () => {
  it("is cut", async () => {
    const server = await serve(testEngine, { port: 0 })
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1")
    socket.on("error", () => undefined)
    socket.write("POST /nowhere HTTP/1.1\r\nhost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    const piece = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(1_048_576), Buffer.from("\r\n")])
    const send = () => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on("drain", send)
    const [answer] = await once(socket, "data")
    assert.match(String(answer), /^HTTP\/1.1 404/)
    send()
    await new Promise((resolve) => socket.once("close", resolve))
    await server.close()
  })
})
