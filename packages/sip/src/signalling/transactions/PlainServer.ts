import type { SipResponse } from "../message/Message.js"
import { giveUpAfter, type MachineOptions, type MachineStep, send, type ServerInput, setTimer } from "./Machine.js"

/** State of a server transaction of a request other than INVITE (RFC 3261, figure 8). */
export interface PlainServerState {
  readonly phase: "trying" | "proceeding" | "completed" | "terminated"
  /** The latest response; null before the first. */
  readonly response: SipResponse | null
}

type Next = MachineStep<PlainServerState>

/** State when the request has come. */
export const startPlainServer = (): Next => ({ state: { phase: "trying", response: null }, commands: [] })

const onRespond = (state: PlainServerState, response: SipResponse, { reliable, timers }: MachineOptions): Next => {
  if (state.phase === "completed" || state.phase === "terminated") return { state, commands: [] }
  if (response.status < 200) return { state: { phase: "proceeding", response }, commands: [send] }
  if (reliable) return { state: { phase: "terminated", response }, commands: [send] }
  return { state: { phase: "completed", response }, commands: [send, setTimer("J", giveUpAfter(timers))] }
}

/** Advances a server transaction of a request other than INVITE. It repeats its response when the request is repeated. */
export const stepPlainServer = (state: PlainServerState, input: ServerInput, options: MachineOptions): Next => {
  switch (input._tag) {
    case "Respond":
      return onRespond(state, input.response, options)
    case "Timer":
      return { state: { ...state, phase: "terminated" }, commands: [] }
    case "Repeated":
      return { state, commands: state.response === null ? [] : [send] }
    case "Ack":
      return { state, commands: [] }
  }
}
