import type { SipResponse } from "../message/Message.js"
import {
  clearTimer,
  giveUpAfter,
  type MachineOptions,
  type MachineStep,
  send,
  type ServerInput,
  setTimer,
  timedOut,
  type TimerName
} from "./Machine.js"

/** State of an INVITE server transaction (RFC 3261, figure 7, with `accepted` of RFC 6026, figure 7). */
export interface InviteServerState {
  readonly phase: "proceeding" | "completed" | "confirmed" | "accepted" | "terminated"
  /** The latest response; null before the first. */
  readonly response: SipResponse | null
  /** Pause before the next retransmission of a final response, in milliseconds. */
  readonly interval: number
}

type Next = MachineStep<InviteServerState>

/** State when the INVITE has come. */
export const startInviteServer = ({ timers }: MachineOptions): Next => ({
  state: { phase: "proceeding", response: null, interval: timers.t1 },
  commands: []
})

const onRespond = (state: InviteServerState, response: SipResponse, options: MachineOptions): Next => {
  const { reliable, timers } = options
  const isSuccess = response.status >= 200 && response.status < 300
  // The user of the transaction repeats its 2xx until it is acknowledged.
  if (state.phase === "accepted" && isSuccess) return { state: { ...state, response }, commands: [send] }
  if (state.phase !== "proceeding") return { state, commands: [] }
  if (response.status < 200) return { state: { ...state, response }, commands: [send] }
  if (isSuccess) {
    return {
      state: { ...state, response, phase: "accepted" },
      commands: [send, setTimer("L", giveUpAfter(timers))]
    }
  }
  return {
    state: { ...state, response, phase: "completed" },
    commands: [send, ...(reliable ? [] : [setTimer("G", timers.t1)]), setTimer("H", giveUpAfter(timers))]
  }
}

const onTimer = (state: InviteServerState, name: TimerName, { timers }: MachineOptions): Next => {
  if (name !== "G") {
    return { state: { ...state, phase: "terminated" }, commands: name === "H" ? [timedOut] : [] }
  }
  if (state.phase !== "completed") return { state, commands: [] }
  const interval = Math.min(state.interval * 2, timers.t2)
  return { state: { ...state, interval }, commands: [send, setTimer("G", interval)] }
}

/** Advances an INVITE server transaction. It repeats final responses other than 2xx until their ACK comes. */
export const stepInviteServer = (state: InviteServerState, input: ServerInput, options: MachineOptions): Next => {
  switch (input._tag) {
    case "Respond":
      return onRespond(state, input.response, options)
    case "Timer":
      return onTimer(state, input.name, options)
    case "Repeated": {
      const isAnswered = state.response !== null && (state.phase === "proceeding" || state.phase === "completed")
      return { state, commands: isAnswered ? [send] : [] }
    }
    case "Ack": {
      if (state.phase !== "completed") return { state, commands: [] }
      const commands = [clearTimer("G"), clearTimer("H")]
      if (options.reliable) return { state: { ...state, phase: "terminated" }, commands }
      return { state: { ...state, phase: "confirmed" }, commands: [...commands, setTimer("I", options.timers.t4)] }
    }
  }
}
