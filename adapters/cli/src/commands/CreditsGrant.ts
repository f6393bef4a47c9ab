import { AccountId, Credits } from "@trunkline/rate-limits"
import { Effect, Schema } from "effect"
import { command, type Output } from "../Command.js"
import { Grant, Reference } from "../Inputs.js"
import { accountOf } from "../Lookup.js"

/** `credits grant`: adds to what an account has left, once for every reference. */
export const creditsGrant = command({
  name: "credits grant",
  about: "Adds micro-credits to an account. The same reference adds only once, so that it can safely be repeated.",
  operands: ["account", "micro-credits"],
  flags: { reference: { value: "text", needed: true, about: "what it is for, such as an invoice's number" } },
  input: Schema.Struct({ account: AccountId, "micro-credits": Grant, reference: Reference }),
  run: Effect.fnUntraced(function*({ account: account_id, "micro-credits": micro_credits, reference }) {
    const { credits: given } = yield* accountOf(account_id)
    const credits = yield* Credits
    const granted = yield* credits.grant({ account_id, micro_credits, reference })
    const { balance } = yield* credits.standing(account_id)
    const output: Output = {
      text: granted
        ? `${account_id} was given ${micro_credits} micro-credits for ${reference}.`
        : `${account_id} was given credits for ${reference} before: nothing was added.`,
      json: { account_id, micro_credits, reference, granted, balance }
    }
    return given === null
      ? { ...output, notice: `${account_id} has no limit: nothing is taken from its credits.` }
      : output
  })
})
