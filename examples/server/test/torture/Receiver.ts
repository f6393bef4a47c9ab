import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as pause } from "node:timers/promises"

/** Deliveries with one webhook id. */
export interface Received {
  times: number
  /** Digests of the bodies: one, unless the bytes changed. */
  readonly bodies: Set<string>
}

/** A receiver of webhooks that believes none without looking at its signature. */
export interface TortureReceiver {
  readonly url: string
  readonly secret: string
  readonly received: ReadonlyMap<string, Received>
  /** Requests whose signature was wrong. */
  readonly forged: () => number
  readonly close: () => void
}

const key = Buffer.from("the receiver and the server know this")

const isSigned = ({ headers }: IncomingMessage, body: Buffer): boolean => {
  const { "webhook-id": id, "webhook-signature": given, "webhook-timestamp": at } = headers
  const mac = createHmac("sha256", key).update(`${String(id)}.${String(at)}.`).update(body).digest("base64")
  const wanted = Buffer.from(`v1,${mac}`)
  return String(given).split(" ").some((one) => {
    const signature = Buffer.from(one)
    return signature.length === wanted.length && timingSafeEqual(signature, wanted)
  })
}

/** Starts a receiver; it takes its time, so that servers die while they wait for it. */
export const startTortureReceiver = async (random: () => number): Promise<TortureReceiver> => {
  const received = new Map<string, Received>()
  let forged = 0
  const server = createServer(async (request, response) => {
    const pieces: Array<Buffer> = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces)
    if (!isSigned(request, body)) {
      forged += 1
      return response.writeHead(401).end()
    }
    const id = String(request.headers["webhook-id"])
    const entry = received.get(id) ?? { times: 0, bodies: new Set() }
    received.set(id, entry)
    entry.times += 1
    entry.bodies.add(createHash("sha256").update(body).digest("hex"))
    await pause(random() * 20)
    return response.writeHead(204).end()
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    secret: `whsec_${key.toString("base64")}`,
    received,
    forged: () => forged,
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
