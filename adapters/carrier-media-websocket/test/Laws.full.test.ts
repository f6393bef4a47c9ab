import { PhoneNumber } from "@trunkline/kernel"
import { isAudioLine } from "@trunkline/telephony"
import { audioLineLaws, type CarrierHarness, carrierLaws, type DefineTest } from "@trunkline/telephony/testing"
import { Duration, Effect } from "effect"
import { it } from "vitest"
import { untilOnTime } from "../../../test/setup/OnTime.js"
import { connect, events, ourNumber, planFor, type Provider, toneLeg } from "./Host.js"
import { providers, telnyxRelay, twilioRelay } from "./Providers.js"

const number = (suffix: string) => PhoneNumber.make(`+9198765432${suffix}`)

const numbers = {
  answers: number("10"),
  busy: number("11"),
  noAnswer: number("12"),
  invalid: number("13"),
  refused: number("14")
}

const kinds = { 1: "busy", 2: "no_answer", 3: "invalid", 4: "refused" } as const

const reactionOf = (to: string) => {
  const kind = Object.entries(kinds).find(([digit]) => to.endsWith(digit))?.[1]
  return kind === undefined ? { kind: "answers", afterMillis: 100 } as const : { kind }
}

const harness = (provider: Provider) =>
  Effect.gen(function*() {
    const { carrier, connection, double } = yield* connect(provider, { reactionOf })
    return {
      carrier,
      connection,
      from: ourNumber,
      numbers,
      legOf: toneLeg,
      countDials: (attempt) => Effect.sync(() => double.countDials(attempt)),
      hangUp: (id) => Effect.sync(() => double.callOf(id.replace(/^[^:]*:/, ""))?.end("user")),
      loseNextResponse: Effect.sync(() => double.fail("cut")),
      // Telnyx does not tell the outcome of a call to those who ask.
      deliver: (how) =>
        Effect.sync(() =>
          double.deliver(how === "never" && provider.double.provider.startsWith("telnyx") ? "late" : how)
        ),
      stall: Effect.sync(() => double.stall(true)),
      wait: (time) => Effect.sleep(Duration.min(time, "1 second"))
    } satisfies CarrierHarness
  }).pipe(Effect.provide(events))

/** Real calls take real time, so they are made side by side. */
const sideBySide: DefineTest = (name, effect) =>
  it.concurrent(`${name}`, (context) => Effect.runPromise(untilOnTime(context, effect())))

const call = (provider: Provider) =>
  Effect.gen(function*() {
    const { carrier, connection, double } = yield* connect(provider)
    const placed = yield* carrier.place(planFor(connection))
    const line = yield* placed.answer
    const person = double.calls[0]?.person
    if (!isAudioLine(line) || person == null) return yield* Effect.dieMessage("The call has no sound")
    yield* Effect.sleep("300 millis")
    const hangUp = Effect.sync(() => double.calls[0]?.end("user"))
    return { line, caller: { ...person, hangUp, hold: () => undefined } }
  }).pipe(Effect.provide(events))

carrierLaws("twilio-relay", harness(twilioRelay), sideBySide)
carrierLaws("telnyx-relay", harness(telnyxRelay), sideBySide)

for (const provider of providers) {
  carrierLaws(provider.double.provider, harness(provider), sideBySide)
  audioLineLaws(provider.double.provider, call(provider), sideBySide, { tolerance: 120, holds: false })
}
