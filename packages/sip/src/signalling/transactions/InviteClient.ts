import type { SipResponse } from "../message/Message.js"
import {
  clearTimer,
  type ClientInput,
  deliver,
  giveUpAfter,
  type MachineCommand,
  type MachineOptions,
  type MachineStep,
  send,
  setTimer,
  timedOut,
  type TimerName
} from "./Machine.js"

/** State of an INVITE client transaction (RFC 3261, figure 5, with `accepted` of RFC 6026, figure 5). */
export interface InviteClientState {
  readonly phase: "calling" | "proceeding" | "completed" | "accepted" | "terminated"
  /** Pause before the next retransmission, in milliseconds. */
  readonly interval: number
}

type Next = MachineStep<InviteClientState>

/** Sends the INVITE, and starts its timers. */
export const startInviteClient = ({ reliable, timers }: MachineOptions): Next => ({
  state: { phase: "calling", interval: timers.t1 },
  commands: [send, ...(reliable ? [] : [setTimer("A", timers.t1)]), setTimer("B", giveUpAfter(timers))]
})

/** Goes on with an INVITE that an earlier user agent sent, and that has a provisional response. */
export const resumeInviteClient = ({ timers }: MachineOptions): Next => ({
  state: { phase: "proceeding", interval: timers.t1 },
  commands: []
})

const stopCalling: ReadonlyArray<MachineCommand> = [clearTimer("A"), clearTimer("B")]

const onResponse = (state: InviteClientState, response: SipResponse, options: MachineOptions): Next => {
  const { status } = response
  const { phase } = state
  const isWaiting = phase === "calling" || phase === "proceeding"
  if (status < 200) {
    if (!isWaiting) return { state, commands: [] }
    return { state: { ...state, phase: "proceeding" }, commands: [...stopCalling, deliver(response)] }
  }
  if (status < 300) {
    if (phase === "accepted") return { state, commands: [deliver(response)] }
    if (!isWaiting) return { state, commands: [] }
    const commands = [...stopCalling, setTimer("M", giveUpAfter(options.timers)), deliver(response)]
    return { state: { ...state, phase: "accepted" }, commands }
  }
  const acknowledge: MachineCommand = { _tag: "Acknowledge", response }
  if (phase === "completed") return { state, commands: [acknowledge] }
  if (!isWaiting) return { state, commands: [] }
  const commands = [...stopCalling, acknowledge, deliver(response)]
  if (options.reliable) return { state: { ...state, phase: "terminated" }, commands }
  // Timer D is at least 32 s, as long as the other side may repeat its response.
  return {
    state: { ...state, phase: "completed" },
    commands: [...commands, setTimer("D", Math.max(32_000, giveUpAfter(options.timers)))]
  }
}

const onTimer = (state: InviteClientState, name: TimerName): Next => {
  if (name === "A") {
    if (state.phase !== "calling") return { state, commands: [] }
    const interval = state.interval * 2
    return { state: { ...state, interval }, commands: [send, setTimer("A", interval)] }
  }
  return {
    state: { ...state, phase: "terminated" },
    commands: name === "B" ? [timedOut] : []
  }
}

/**
 * Advances an INVITE client transaction. It acknowledges final responses other than 2xx, also repeated ones, and passes
 * on every 2xx for 64*T1 after the first, since each of them has to be acknowledged by its user. Nothing limits the time
 * in `proceeding`; users cancel.
 */
export const stepInviteClient = (state: InviteClientState, input: ClientInput, options: MachineOptions): Next => {
  switch (input._tag) {
    case "Response":
      return onResponse(state, input.response, options)
    case "Quiet":
      return state.phase === "calling"
        ? { state: { ...state, phase: "proceeding" }, commands: stopCalling }
        : { state, commands: [] }
    case "Timer":
      return onTimer(state, input.name)
  }
}
