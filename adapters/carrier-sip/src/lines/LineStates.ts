import type { Registration, RegistrationState } from "@trunkline/sip"
import type { CarrierLineState } from "@trunkline/telephony"
import { Clock, Effect } from "effect"

/** Notes about the server of a line. */
export interface LineNotes {
  /** Notes that its server answered, or a failure: it did not answer then, unless `isReachable` says so. */
  readonly note: (failure: string | null, isReachable?: boolean) => Effect.Effect<void>
  readonly current: Effect.Effect<Omit<CarrierLineState, "lateness_millis">>
}

const failures: Readonly<Record<Extract<RegistrationState, { readonly _tag: "Failed" }>["kind"], string>> = {
  refused: "the registrar refused",
  timeout: "the registrar did not answer",
  transport: "the registrar could not be reached",
  unresolved: "the registrar's name has no address"
}

/** Why a registration failed, in words; null for one that did not. */
export const registrationFailure = (state: RegistrationState): string | null => {
  if (state._tag !== "Failed") return null
  const { reason, status, kind } = state
  if (status !== null) return `${failures[kind]} with ${status}`
  return reason === undefined ? failures[kind] : `${failures[kind]}: ${reason}`
}

const registrationOf = (state: RegistrationState): CarrierLineState["registration"] => {
  switch (state._tag) {
    case "Registering":
      return { status: "registering", registered_until: null }
    case "Registered":
      return { status: "registered", registered_until: state.until }
    case "Failed":
      return { status: "failed", registered_until: null }
  }
}

/** Makes the state of a line, of which nothing is known at first. */
export const makeLineState = (registration: Registration | null): LineNotes => {
  let reachable: boolean | null = null
  let last: CarrierLineState["last_failure"] = null
  return {
    note: (failure, isReachable = failure === null) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        reachable = isReachable
        if (failure !== null) last = { at, reason: failure }
      }),
    current: Effect.map(
      registration === null ? Effect.succeed(null) : Effect.map(registration.state, registrationOf),
      (registration) => ({ registration, reachable, last_failure: last })
    )
  }
}
