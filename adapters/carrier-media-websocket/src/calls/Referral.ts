import type { PhoneNumber } from "@trunkline/kernel"
import type { ReferRequest, ReferResult } from "@trunkline/telephony"
import { Effect } from "effect"
import { sendFirst } from "../rest/ApiClient.js"
import type { CallSession } from "./CallSessions.js"

const unsupportedResult: ReferResult = { _tag: "Unsupported" }

const failureOf = (reason: string): ReferResult => ({ _tag: "NotTaken", outcome: "failed", reason })

const isNumber = (to: string): to is PhoneNumber => to.startsWith("+")

/**
 * Lets the provider connect a call with a number, where it can; nothing otherwise. `leave` ends our side of it, without ending the
 * call. The provider tells no more: the call counts as taken once the request is.
 */
export const referralOf = (
  session: CallSession,
  leave: () => void
): { readonly refer?: (request: ReferRequest) => Effect.Effect<ReferResult> } => {
  const { client } = session
  const { provider, transfer } = client.line
  return transfer === undefined ? {} : {
    refer: ({ replacing, to }) =>
      Effect.suspend(() => {
        const { call_id } = session
        if (call_id === null || replacing !== undefined || !isNumber(to)) return Effect.succeed(unsupportedResult)
        return Effect.match(sendFirst(client, [transfer(call_id, to)]), {
          onFailure: () => failureOf(`${provider}: the request was refused`),
          onSuccess: (response): ReferResult => {
            if (response === null) return failureOf(`${provider}: the call is not known`)
            leave()
            return { _tag: "Taken" }
          }
        })
      })
  }
}
