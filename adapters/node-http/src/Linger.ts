import { lingerLimits } from "@trunkline/http-api"
import type { IncomingMessage, ServerResponse } from "node:http"
import { isWasteful } from "./NodeBody.js"

/** Interval of the check of the limits, in milliseconds. */
const checkInterval = 250

/** True when the request declares a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** Reads and discards the rest of a body, and calls back when it has arrived; cuts the connection beyond the limits. */
const readOn = (request: IncomingMessage, response: ServerResponse, onArrival: () => void): void => {
  const { req, req: { socket } } = response
  const start = performance.now()
  const before = socket.bytesRead
  let progress = { bytes: before, at: start }
  const check = setInterval(() => {
    const now = performance.now()
    if (socket.bytesRead > progress.bytes) progress = { bytes: socket.bytesRead, at: now }
    const { bytes, idle, total } = lingerLimits
    if (progress.bytes - before > bytes || now - progress.at > idle || now - start > total) response.destroy()
  }, checkInterval)
  const stop = () => {
    clearInterval(check)
    req.off("end", end)
    response.off("close", stop)
  }
  const end = () => {
    stop()
    onArrival()
  }
  req.once("end", end)
  response.once("close", stop)
  // Readers that have stopped would keep the body from flowing.
  request.removeAllListeners("readable").resume()
}

/**
 * Ends a response. Where the body of its request still arrives, the response is sent whole at once, and the rest of the
 * body is read and discarded before the response ends: Node would otherwise close a connection with unread bytes, and the
 * client would see a reset in place of the response. A body in chunks that are too small is not worth that: its connection is
 * cut.
 */
export const endResponse = (
  request: IncomingMessage,
  response: ServerResponse,
  body?: Uint8Array | string
): void => {
  const { req } = response
  // The client has left: nobody reads the response, and no event will end the wait for its body.
  if (response.closed || response.destroyed) return
  if (req.complete || !hasBody(req)) return void response.end(body)
  if (isWasteful(req)) return void response.end(body, () => req.socket.destroy())
  if (body === undefined) response.flushHeaders()
  else response.write(body)
  readOn(request, response, () => response.end())
}
