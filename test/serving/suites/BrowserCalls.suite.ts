import { assert, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { once } from "node:events"
import { type RawData, WebSocket } from "ws"
import { type Json, sendRequest, workspace } from "../Client.js"
import { type Served, served, type Way } from "../Ways.js"

const path = `${workspace}/calls/talk`
const origin = "https://www.example.com"

/** A client at the WebSocket of a call. */
const connect = (server: Pick<Served, "url">, url: string, headers: Readonly<Record<string, string>> = { origin }) => {
  const socket = new WebSocket(`${server.url}${url}`.replace("http:", "ws:"), { headers })
  const messages: Array<Json> = []
  const arrivals: Array<() => void> = []
  let sounds = 0
  socket.on("message", (data: RawData, isBinary: boolean) => {
    if (isBinary) sounds += 1
    else messages.push(JSON.parse(String(data)))
    arrivals.splice(0).forEach((tell) => tell())
  })
  socket.on("error", () => undefined)
  const closed = once(socket, "close").then(([code]): number => code)
  const until = async (holds: () => boolean) => {
    while (!holds()) {
      await Promise.race([new Promise<void>((resolve) => void arrivals.push(resolve)), closed])
      if (socket.readyState === socket.CLOSED) return
    }
  }
  return {
    closed,
    socket,
    errorCode: async () => {
      const code = await closed
      return [messages.find(({ type }) => type === "error")?.code, code]
    },
    message: async (type: string): Promise<Json> => {
      await until(() => messages.some((message) => message.type === type))
      return messages.find((message) => message.type === type)
    },
    sound: () => until(() => sounds > 0),
    send: (message: object) => socket.send(JSON.stringify(message))
  }
}

/** Calls from browsers over a host: its upgrade, its prefix, binary frames in both directions, and who is turned away. */
export const browserCallsSuite = (way: Way) =>
  describe.runIf(way.webSockets)(`calls from browsers over ${way.name}`, () => {
    const server = served(way, "browser")
    const token = async (): Promise<Json> =>
      (await sendRequest(server, path, { method: "POST", body: { app_id: "collections" } })).json

    it("are answered with the agent's voice, hung up, and recorded", async () => {
      const { attempt_id, url } = await token()
      const call = connect(server, url)
      assert.strictEqual((await call.message("ready")).attempt_id, attempt_id)
      call.send({ type: "start" })
      await call.sound()
      call.send({ type: "hang_up" })
      assert.deepStrictEqual(await call.message("ended"), { type: "ended", by: "user" })
      assert.strictEqual(await call.closed, 1000)
      const record = async (): Promise<Json> => {
        const { json, status } = await sendRequest(server, `${workspace}/attempts/${attempt_id}`)
        return status === 404 ? record() : json
      }
      const { channel_provider, connectivity_status, user_identifier } = await record()
      assert.deepStrictEqual([channel_provider, connectivity_status, user_identifier], [
        "browser",
        "connected",
        attempt_id
      ])
    })

    it("need a new token each", async () => {
      const { url } = await token()
      const first = connect(server, url)
      await first.message("ready")
      assert.deepStrictEqual(await connect(server, url).errorCode(), ["token_used", 1008])
      first.socket.terminate()
      assert.deepStrictEqual(await connect(server, url).errorCode(), ["token_used", 1008])
    })

    it("need a token of their workspace, whole and unchanged", async () => {
      const { url } = await token()
      const elsewhere = [
        url.replace("/acme/", "/globex/"),
        url.replace("/main/", "/side/"),
        url.slice(0, -2),
        `${path}?token=guess`,
        path
      ]
      for (const address of elsewhere) {
        assert.deepStrictEqual(await connect(server, address).errorCode(), ["token_invalid", 1008])
      }
    })

    it("are only for pages of the site", async () => {
      for (const headers of [{ origin: "https://evil.example" }, { origin: "null" }, {}]) {
        const { url } = await token()
        assert.deepStrictEqual(await connect(server, url, headers).errorCode(), ["origin_refused", 1008])
      }
    })

    it("end when a frame is far too large, or is no frame of the protocol", async () => {
      const large = connect(server, (await token()).url)
      await large.message("ready")
      large.socket.send(new Uint8Array(200_000))
      assert.include([1006, 1009], await large.closed)
      const wrong = connect(server, (await token()).url)
      await wrong.message("ready")
      wrong.socket.send("hello")
      assert.deepStrictEqual(await wrong.errorCode(), ["bad_message", 1008])
    })

    it("need a key for their token, a version that exists, and an upgrade", async () => {
      const make = (body: object, key: string | null = testKeys.main) =>
        sendRequest(server, path, { method: "POST", body, key })
      assert.strictEqual((await make({ app_id: "collections" }, null)).status, 403)
      assert.strictEqual((await make({ app_id: "collections" }, testKeys.foreign)).status, 403)
      assert.strictEqual((await make({ app_id: "nobody" })).status, 404)
      assert.strictEqual((await make({ app_id: "collections", app_version: 99 })).status, 422)
      assert.strictEqual((await sendRequest(server, (await token()).url)).status, 422)
    })
  })
