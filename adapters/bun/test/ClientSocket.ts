import { connect } from "node:net"

/** Close frame of a WebSocket. */
export interface Goodbye {
  readonly code: number
  readonly reason: string
}

/** Client side of a WebSocket that reads from the network only on demand. */
export interface ClientSocket {
  /** Status of the handshake; 101 when the socket is open. */
  readonly status: number
  /** Reads the next text, or the end. */
  readonly next: () => Promise<string | Goodbye>
  /** Reads until the end. */
  readonly end: () => Promise<Goodbye>
  /** Sends a text of 126 to 65,535 bytes. */
  readonly send: (text: string) => void
  readonly destroy: () => void
}

const handshake = (path: string, headers: Readonly<Record<string, string>>) => {
  const sent = {
    host: "localhost",
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers
  }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`)
  return [`GET ${path} HTTP/1.1`, ...lines, "\r\n"].join("\r\n")
}

const opcodes = { text: 0x81, close: 0x88 }

/** Requests a WebSocket. */
export const openSocket = async (
  { url }: { readonly url: string },
  path: string,
  headers: Readonly<Record<string, string>>
): Promise<ClientSocket> => {
  const socket = connect(Number(new URL(url).port), "127.0.0.1")
  socket.on("error", () => {})
  socket.write(handshake(path, headers))

  const pieces: AsyncIterator<Buffer> = socket[Symbol.asyncIterator]()
  let held = Buffer.alloc(0)
  const bytes = async (size: number): Promise<Buffer> => {
    while (held.length < size) {
      const { done, value } = await pieces.next()
      if (done === true) throw new Error("The connection was cut")
      held = Buffer.concat([held, value])
    }
    const taken = held.subarray(0, size)
    held = held.subarray(size)
    return taken
  }

  let head = ""
  while (!head.endsWith("\r\n\r\n")) head += (await bytes(1)).toString()

  const next = async (): Promise<string | Goodbye> => {
    const [opcode = 0, size = 0] = await bytes(2)
    const length = size === 127
      ? Number((await bytes(8)).readBigUInt64BE())
      : size === 126
      ? (await bytes(2)).readUInt16BE()
      : size
    const payload = await bytes(length)
    if (opcode === opcodes.text) return payload.toString()
    return opcode === opcodes.close ? { code: payload.readUInt16BE(), reason: payload.toString("utf8", 2) } : next()
  }

  const end = async (): Promise<Goodbye> => {
    const taken = await next()
    return typeof taken === "string" ? end() : taken
  }

  const send = (text: string) => {
    const masked = Buffer.from([opcodes.text, 0x80 | 126, 0, 0, 0, 0, 0, 0])
    masked.writeUInt16BE(Buffer.byteLength(text), 2)
    socket.write(Buffer.concat([masked, Buffer.from(text)]))
  }

  return { status: Number(head.split(" ")[1]), next, end, send, destroy: () => socket.destroy() }
}
