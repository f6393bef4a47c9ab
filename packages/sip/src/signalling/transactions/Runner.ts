import type { SipResponse } from "../message/Message.js"
import type { After } from "../transport/Timers.js"
import type { MachineCommand, MachineStep, TimerName } from "./Machine.js"

/** Deeds that a machine orders, other than timers. */
export interface RunnerDeeds {
  readonly send: () => void
  readonly acknowledge: (response: SipResponse) => void
  readonly deliver: (response: SipResponse) => void
  readonly timedOut: () => void
  /** The machine has terminated. It is called before the deeds of the last step. */
  readonly onEnd: () => void
}

/** A running machine. Inputs after its end do nothing. */
export interface MachineRunner<Input> {
  readonly input: (input: Input) => void
  /** Ends it without another deed than `ended`. */
  readonly stop: () => void
}

type TimerInput = { readonly _tag: "Timer"; readonly name: TimerName }

/** Runs a machine with real timers. */
export const runMachine = <State extends { readonly phase: string }, Input>(
  { after, deeds, start, step }: {
    readonly start: MachineStep<State>
    readonly step: (state: State, input: Input | TimerInput) => MachineStep<State>
    readonly after: After
    readonly deeds: RunnerDeeds
  }
): MachineRunner<Input> => {
  let { state } = start
  let isOver = false
  const pending = new Map<TimerName, () => void>()

  const stop = () => {
    if (isOver) return
    isOver = true
    pending.forEach((cancel) => cancel())
    pending.clear()
    deeds.onEnd()
  }

  const perform = (command: MachineCommand): void => {
    switch (command._tag) {
      case "Send":
        return deeds.send()
      case "Acknowledge":
        return deeds.acknowledge(command.response)
      case "Deliver":
        return deeds.deliver(command.response)
      case "TimedOut":
        return deeds.timedOut()
      case "Clear":
        pending.get(command.name)?.()
        pending.delete(command.name)
        return
      case "Set": {
        // A response that was delivered before may have ended the machine.
        if (isOver) return
        const { name } = command
        pending.set(
          name,
          after(command.millis, () => {
            pending.delete(name)
            input({ _tag: "Timer", name })
          })
        )
      }
    }
  }

  const take = (next: MachineStep<State>) => {
    state = next.state
    if (state.phase === "terminated") stop()
    next.commands.forEach(perform)
  }

  const input = (event: Input | TimerInput) => {
    if (!isOver) take(step(state, event))
  }

  take(start)
  return { input, stop }
}
