import { AppId, AttemptId } from "@trunkline/kernel"
import { Attempt } from "@trunkline/telephony"
import { caller, connection, line, scope } from "./Fixtures.js"

/** A single call in progress in the given state; attempted at time 0 unless overridden. */
export const attemptInProgress = (state: Attempt["state"], change: Partial<Attempt> = {}) =>
  new Attempt({
    ...scope,
    attempt_id: AttemptId.make("018f9430-0000-7000-8000-000000000001"),
    kind: "outbound",
    app_id: AppId.make("support"),
    app_version: 1,
    campaign_id: null,
    cohort_id: null,
    deployment_id: null,
    connection_id: connection.connection_id,
    channel_provider: "simulator",
    channel_protocol: "simulated",
    user_identifier: "someone",
    user_phone_number: caller,
    agent_phone_number: line,
    retry_attempt: 0,
    agent_variables: {},
    app_overrides: {},
    webhook: null,
    attempted_at: 0,
    state,
    provider_call_id: null,
    result: null,
    ...change
  })
