import { Engine, type EngineOptions, type MemoryOptions, memoryParts } from "@trunkline/engine"
import { BusinessTime, OrgId, PhoneNumber, Scope, VirtualClock, WorkspaceId } from "@trunkline/kernel"
import { ScriptedModel, userSays } from "@trunkline/scripted-model"
import { modemTranscriber, modemVoice, soundOf } from "@trunkline/speech"
import { Carriers, Connection, CreateDeployment, DialFailed, makeSimulatedAudioLine } from "@trunkline/telephony"
import { Console, Effect, Fiber, Layer, Schema, Stream } from "effect"

// A person calls a number and talks with the agent that is deployed on it. The line carries sound; here a simulated one with a
// caller who speaks in tones. For a line of your own, give an `AudioLine` to `accept` (docs/conversation.md).

const number = PhoneNumber.make("+911140000001")
const desk = { connection_id: "desk", provider: "my-line", phone_numbers: [number] }
const options: MemoryOptions & EngineOptions = {
  agents: [{
    app_id: "desk",
    versions: [{ app_version: 1, committed: true, first_message: "Hello, this is the library. How can I help you?" }]
  }],
  connections: [desk],
  model: ScriptedModel.layer([
    { when: userSays("open"), reply: "We are open until nine. Is there anything else?" },
    { when: userSays("bye"), reply: "Goodbye, and enjoy your books.", toolCall: { name: "end_call" } }
  ]),
  synthesizer: modemVoice(),
  transcriber: modemTranscriber
}

const program = Effect.gen(function*() {
  const { caller, line } = yield* makeSimulatedAudioLine()
  const receiver = Carriers.layerOf([{
    provider: "my-line",
    protocol: "simulated",
    dedupe: () => ({ _tag: "None" }),
    place: () => Effect.fail(new DialFailed({ certainty: "provider", reason: "my-line: only receives calls" })),
    lookup: () => Effect.succeed({ _tag: "NotFound" }),
    offers: Stream.fromEffect(Effect.as(BusinessTime.sleep("1 second"), {
      provider_call_id: "call-1",
      connection: Schema.decodeSync(Connection)(desk),
      from: PhoneNumber.make("+919876543210"),
      to: number,
      accept: Effect.succeed(line),
      reject: (reason) => Console.log(`The call was rejected: ${reason}`)
    }))
  }])
  yield* Effect.gen(function*() {
    const { deployments, live } = yield* Engine
    const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
    const deployment = { name: "Desk", app_id: "desk", app_version: 1 }
    const connection_configs = [{ connection_id: "desk", phone_numbers: [number] }]
    yield* deployments.create(scope, Schema.decodeSync(CreateDeployment)({ ...deployment, connection_configs }), "demo")
    const events = Stream.takeUntil(yield* live.watch(scope), ({ type }) => type === "attempt.ended")
    const told = yield* Effect.fork(
      Stream.runForEach(events, (event) =>
        event.type === "turn"
          ? Console.log(`${event.role === "agent" ? "Agent" : "Caller"}: ${event.text}`)
          : Effect.void)
    )
    for (const words of ["When are you open?", "No, thank you. Bye."]) {
      yield* BusinessTime.sleep("8 seconds")
      caller.say(yield* soundOf(words))
    }
    const by = yield* caller.ended
    yield* Fiber.join(told)
    yield* Console.log(`The call was ended by the ${by}.`)
  }).pipe(Effect.provide(
    Engine.layer(options).pipe(Layer.provideMerge(Layer.merge(memoryParts(options), receiver)))
  ))
})

await Effect.runPromise(VirtualClock.run(Effect.scoped(program)))
