import type { SipResponse } from "../message/Message.js"

/** Estimates from which all timers of transactions follow, in milliseconds (RFC 3261, section 17.1.1.2). */
export interface TimerValues {
  /** Round-trip time. */
  readonly t1: number
  /** Longest pause between retransmissions of requests other than INVITE and of final responses. */
  readonly t2: number
  /** Longest time that a message stays in the network. */
  readonly t4: number
}

/** The values of RFC 3261. */
export const standardTimers: TimerValues = { t1: 500, t2: 4_000, t4: 5_000 }

/** Time after which a transaction without a response is given up, in milliseconds: timers B, F, H, J, L and M. */
export const giveUpAfter = ({ t1 }: TimerValues): number => 64 * t1

/** Conditions of a transaction, which do not change. */
export interface MachineOptions {
  readonly timers: TimerValues
  /** Over a reliable transport nothing is retransmitted and late copies are not waited for. */
  readonly reliable: boolean
}

/** Timers by their letters: RFC 3261, table 4, and RFC 6026, sections 7.1 and 8.11 (L and M). */
export type TimerName = "A" | "B" | "D" | "E" | "F" | "G" | "H" | "I" | "J" | "K" | "L" | "M"

/** Input of a client transaction. `Quiet` concerns INVITE alone. */
export type ClientInput =
  | { readonly _tag: "Response"; readonly response: SipResponse }
  /** Its user waits no longer: nothing is sent again, and a late response still comes to it. */
  | { readonly _tag: "Quiet" }
  | { readonly _tag: "Timer"; readonly name: TimerName }

/** Input of a server transaction. `Ack` concerns INVITE alone. */
export type ServerInput =
  | { readonly _tag: "Repeated" }
  | { readonly _tag: "Ack" }
  | { readonly _tag: "Respond"; readonly response: SipResponse }
  | { readonly _tag: "Timer"; readonly name: TimerName }

/** Orders of a transaction to those who run it. A machine that has terminated keeps no timers. */
export type MachineCommand =
  /** Sends the request of a client, or the latest response of a server. */
  | { readonly _tag: "Send" }
  /** Sends the ACK for a final response other than 2xx. */
  | { readonly _tag: "Acknowledge"; readonly response: SipResponse }
  /** Gives a response to the user of the transaction. */
  | { readonly _tag: "Deliver"; readonly response: SipResponse }
  /** Tells the user that no final response came, or no ACK. */
  | { readonly _tag: "TimedOut" }
  | { readonly _tag: "Set"; readonly name: TimerName; readonly millis: number }
  | { readonly _tag: "Clear"; readonly name: TimerName }

/** State after an input, and the orders that follow from it. */
export interface MachineStep<State> {
  readonly state: State
  readonly commands: ReadonlyArray<MachineCommand>
}

export const send: MachineCommand = { _tag: "Send" }
export const timedOut: MachineCommand = { _tag: "TimedOut" }
export const setTimer = (name: TimerName, millis: number): MachineCommand => ({ _tag: "Set", name, millis })
export const clearTimer = (name: TimerName): MachineCommand => ({ _tag: "Clear", name })
export const deliver = (response: SipResponse): MachineCommand => ({ _tag: "Deliver", response })
