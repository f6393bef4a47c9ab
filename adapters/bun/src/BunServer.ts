/** What is used of the server that `Bun.serve` gives. Bun's own type of it fits, whatever data its sockets have. */
export interface BunServer {
  /** Undefined where the server listens on a socket of the file system. */
  readonly port?: number | undefined
  /** Answers 101 and opens the WebSocket; false when the client is gone or its handshake is no good. */
  upgrade(request: Request, options: { readonly data?: unknown }): boolean
  /** How many seconds from now the connection of a request may live, at most 255; 0 for ever. */
  readonly timeout: (request: Request, seconds: number) => void
  /** Takes no more connections, and completes when the last one is gone; with `true`, cuts those that are left. */
  readonly stop: (cut?: boolean) => Promise<void>
}

/** What is used of a WebSocket of Bun. Bun's own type of it fits. */
export interface BunSocket {
  readonly data: unknown
  /** Sends a text frame; what the client does not take now waits in memory. */
  readonly send: (text: string) => unknown
  /** How many bytes wait in memory. */
  readonly getBufferedAmount: () => number
  readonly close: (code: number, reason?: string) => void
}

/** What `Bun.serve` is told about WebSockets. */
export interface BunWebSockets {
  readonly maxPayloadLength: number
  readonly backpressureLimit: number
  readonly closeOnBackpressureLimit: boolean
  readonly idleTimeout: number
  readonly open: (socket: BunSocket) => void
  readonly message: () => void
  readonly drain: (socket: BunSocket) => void
  readonly close: (socket: BunSocket) => void
}
