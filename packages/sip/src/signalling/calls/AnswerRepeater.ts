import { type AgentContext, patience } from "../agent/AgentContext.js"
import type { SipRequest, SipResponse } from "../message/Message.js"
import type { ServerTransaction } from "../transactions/ServerTransactions.js"

/** An answer that waits for its ACK. */
export interface AnswerRepeater {
  /** Takes the ACK, with the other side's answer in its body if the 2xx had an offer. */
  readonly takeAck: (ack: SipRequest) => void
  /** Repeats it no more. */
  readonly stop: () => void
}

/**
 * Sends the 2xx of an INVITE, and repeats it until its ACK comes (RFC 3261, section 13.3.1.4), also over a reliable
 * transport: the loss may be further away. `lost` is called when 64*T1 have passed.
 */
export const repeatAnswer = (
  agent: AgentContext,
  { onLost, onAck, response, transaction }: {
    readonly transaction: ServerTransaction
    readonly response: SipResponse
    readonly onAck: (ack: SipRequest) => void
    readonly onLost: () => void
  }
): AnswerRepeater => {
  const { after, timers } = agent
  let isOver = false
  let interval = timers.t1
  let stopRepeating = () => {}

  const send = () => {
    transaction.respond(response)
    stopRepeating = after(interval, send)
    interval = Math.min(interval * 2, timers.t2)
  }
  const stop = () => {
    isOver = true
    stopRepeating()
    stopWaiting()
  }
  const stopWaiting = after(patience(agent), () => {
    stop()
    onLost()
  })
  send()
  return {
    takeAck: (ack) => {
      if (isOver) return
      stop()
      onAck(ack)
    },
    stop
  }
}
