import { type FrameEvent, type FrameInbox, type FrameSocket, makeFrameInbox } from "@trunkline/telephony"
import type { Socket } from "node:net"
import type { RawData, WebSocket } from "ws"

const frameOf = (data: RawData, isBinary: boolean): FrameEvent => {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? new Uint8Array(data) : data
  return isBinary ? { _tag: "Bytes", bytes } : { _tag: "Text", text: String(bytes) }
}

/** Passes the frames of a socket to its inbox, from the first one on. */
export const listenTo = (ws: WebSocket): FrameInbox => {
  const inbox = makeFrameInbox()
  ws.on("message", (data, isBinary) => {
    if (!inbox.add(frameOf(data, isBinary))) ws.close(1009)
  })
  ws.once("close", (code) => inbox.add({ _tag: "Closed", code }))
  return inbox
}

/**
 * Frames of a WebSocket over the socket of its connection. Frames that are posted together leave together: a write of the
 * operating system costs more than all that ours makes of a frame.
 */
export const framesOf = (ws: WebSocket, socket: Socket, inbox: FrameInbox): FrameSocket => {
  let isCorked = false
  const uncork = (): void => {
    isCorked = false
    socket.uncork()
  }
  return {
    post: (frame) => {
      if (ws.readyState !== ws.OPEN) return
      if (!isCorked) {
        isCorked = true
        socket.cork()
        process.nextTick(uncork)
      }
      ws.send(frame)
    },
    waitingBytes: () => ws.bufferedAmount,
    hear: inbox.hear,
    close: (code, reason) => ws.close(code, reason)
  }
}
