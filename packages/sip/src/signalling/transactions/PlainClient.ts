import type { SipResponse } from "../message/Message.js"
import {
  clearTimer,
  type ClientInput,
  deliver,
  giveUpAfter,
  type MachineOptions,
  type MachineStep,
  send,
  setTimer,
  timedOut,
  type TimerName
} from "./Machine.js"

/** State of a client transaction of a request other than INVITE (RFC 3261, figure 6). */
export interface PlainClientState {
  readonly phase: "trying" | "proceeding" | "completed" | "terminated"
  /** Pause before the next retransmission, in milliseconds. */
  readonly interval: number
}

type Next = MachineStep<PlainClientState>

/** Sends the request, and starts its timers. */
export const startPlainClient = ({ reliable, timers }: MachineOptions): Next => ({
  state: { phase: "trying", interval: timers.t1 },
  commands: [send, ...(reliable ? [] : [setTimer("E", timers.t1)]), setTimer("F", giveUpAfter(timers))]
})

const onResponse = (state: PlainClientState, response: SipResponse, { reliable, timers }: MachineOptions): Next => {
  const { phase } = state
  if (phase !== "trying" && phase !== "proceeding") return { state, commands: [] }
  if (response.status < 200) {
    return { state: { ...state, phase: "proceeding" }, commands: [deliver(response)] }
  }
  const commands = [clearTimer("E"), clearTimer("F"), deliver(response)]
  if (reliable) return { state: { ...state, phase: "terminated" }, commands }
  return { state: { ...state, phase: "completed" }, commands: [...commands, setTimer("K", timers.t4)] }
}

const onTimer = (state: PlainClientState, name: TimerName, { timers }: MachineOptions): Next => {
  if (name !== "E") {
    return { state: { ...state, phase: "terminated" }, commands: name === "F" ? [timedOut] : [] }
  }
  if (state.phase === "completed" || state.phase === "terminated") return { state, commands: [] }
  const interval = state.phase === "proceeding" ? timers.t2 : Math.min(state.interval * 2, timers.t2)
  return { state: { ...state, interval }, commands: [send, setTimer("E", interval)] }
}

/** Advances a client transaction of a request other than INVITE. It absorbs repeated final responses for T4. */
export const stepPlainClient = (state: PlainClientState, input: ClientInput, options: MachineOptions): Next => {
  switch (input._tag) {
    case "Response":
      return onResponse(state, input.response, options)
    case "Quiet":
      return { state, commands: [] }
    case "Timer":
      return onTimer(state, input.name, options)
  }
}
