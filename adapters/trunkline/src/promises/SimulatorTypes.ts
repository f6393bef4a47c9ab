import type { Callee, CallEnded } from "../generated/Resources.js"

/**
 * A person who calls: one who answers what is asked and cooperates (`answer`), hangs up after four seconds
 * (`hang_up_early`) or is a machine (`voicemail`); or a script of turns, followed by silence.
 */
export type Caller = "answer" | "hang_up_early" | "voicemail" | Extract<Callee, ReadonlyArray<unknown>>

/** A call that comes in over the simulated network. */
export interface SimulatedCallIn {
  /** Number of the caller: in E.164, or a bare Indian number of ten digits. */
  readonly from: string
  /** Number of ours that is called, of a line whose provider is `simulator`. */
  readonly to: string
  /** `answer` by default. */
  readonly caller?: Caller
}

/** A call that came in, once it was taken or refused. */
export interface IncomingCall {
  /** Null for a call to a number without a deployment, of which there is no record. */
  readonly attempt_id: string | null
  /**
   * Null for a call that was taken. Otherwise the reason: `no_deployment`, `deployment_paused`, `outside_schedule`,
   * `no_capacity` when no line is free, or `internal`.
   */
  readonly refused: string | null
  /**
   * Resolves when the call has ended, with its outcome, variables and transcript; also for a refused one, unless it has no
   * record: it rejects then. Rejects when the engine is closed before.
   */
  readonly ended: Promise<CallEnded>
}

/** The simulated phone network. */
export interface Simulator {
  /** Calls a number of ours; resolves when the call is taken or refused. The network is that of this process. */
  callIn(call: SimulatedCallIn): Promise<IncomingCall>
}
