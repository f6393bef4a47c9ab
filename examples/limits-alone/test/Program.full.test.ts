import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { createInterface } from "node:readline"

const freePort = async () => {
  const server = createServer().listen(0)
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : assert.fail("No port")
}

/** Runs the program until `use` is done; gives it what the program prints first: its key, and where it listens. */
const running = async (use: (key: string, url: string) => Promise<void>) => {
  const port = await freePort()
  const program = spawn("node", ["--conditions=@trunkline/source", "--import", "tsx", "src/main.ts"], {
    cwd: new URL("..", import.meta.url),
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"]
  })
  try {
    const [line] = await once(createInterface(program.stdout), "line")
    await use(String(line).replace("Key: ", ""), `http://localhost:${port}/speech-to-text`)
  } finally {
    program.kill()
    await once(program, "exit")
  }
}

const second = 32_000

describe("limits in front of a custom handler", () => {
  it("admit requests with a key and credits within the rate limit", () =>
    running(async (key, url) => {
      const send = async (seconds: number, key: string) => {
        const headers = { "api-subscription-key": key }
        const answer = await fetch(url, { method: "POST", headers, body: new Uint8Array(seconds * second) })
        const body: unknown = await answer.json()
        return { status: answer.status, body, retryAfter: answer.headers.get("retry-after") }
      }
      const refusedAs = async (sent: ReturnType<typeof send>) => {
        const { body, status } = await sent
        assert.nestedProperty(body, "error.code")
        return [status, JSON.stringify(body).match(/"code":"(\w+)"/)?.[1]]
      }
      assert.deepStrictEqual(await refusedAs(send(1, "sk_dev_no_key")), [403, "invalid_api_key_error"])
      assert.deepStrictEqual(await refusedAs(send(40, key)), [413, "invalid_request_error"])
      for (let sent = 0; sent < 4; sent++) {
        const { body, status } = await send(25, key)
        assert.deepStrictEqual([status, body], [200, { transcript: "25 seconds of silence" }])
      }
      assert.deepStrictEqual(await refusedAs(send(1, key)), [402, "insufficient_quota_error"])
      for (let sent = 0; sent < 200; sent++) {
        const { body, retryAfter, status } = await send(1, key)
        if (status === 402) continue
        assert.deepStrictEqual([status, retryAfter], [429, "1"])
        assert.nestedPropertyVal(body, "error.code", "rate_limit_exceeded_error")
        return
      }
      assert.fail("Never too fast")
    }))
})
