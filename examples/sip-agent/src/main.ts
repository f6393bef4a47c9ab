import { CarrierSip } from "@trunkline/carrier-sip"
import { Engine, type EngineOptions, type MemoryOptions, memoryParts } from "@trunkline/engine"
import { EntropyNode } from "@trunkline/entropy-node"
import { OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import { ScriptedModel, userSays } from "@trunkline/scripted-model"
import { modemTranscriber, modemVoice } from "@trunkline/speech"
import { SpeechEspeak } from "@trunkline/speech-espeak"
import { TranscriberOpenAi } from "@trunkline/speech-openai"
import { Carriers, CreateDeployment } from "@trunkline/telephony"
import { Console, Effect, Fiber, Layer, Logger, LogLevel, Redacted, Schema, Stream } from "effect"

// A softphone on this machine calls an agent. Dial sip:desk@127.0.0.1:5070 without registering. The agent speaks with
// espeak-ng, and hears words through a transcription server (TRANSCRIBER_URL); without one, press keys. With TONES=1 both
// sides speak in tones, as programs do that test it. With DEBUG=1 the log has figures of each call's sound, such as how late
// this machine was.

const number = PhoneNumber.make("+911140000001")
const port = Number(process.env["SIP_PORT"] ?? 5070)
const server = process.env["TRANSCRIBER_URL"]
const tones = process.env["TONES"] === "1"

const desk = {
  connection_id: "desk",
  provider: "sip",
  phone_numbers: [number],
  options: {
    server: "sip:127.0.0.1",
    local: { address: "127.0.0.1", port },
    // A softphone may name another address of this machine for its sound than the one that it sends from.
    nat_latch: true,
    inbound: { allow: ["127.0.0.1"], aliases: { desk: number } }
  }
}

const transcriber = server === undefined || tones
  ? modemTranscriber
  : TranscriberOpenAi.layer({ baseUrl: server, apiKey: Redacted.make(process.env["TRANSCRIBER_KEY"] ?? "") })

const options: MemoryOptions & EngineOptions = {
  agents: [{
    app_id: "desk",
    versions: [{ app_version: 1, committed: true, first_message: "Hello, this is the library. How can I help you?" }]
  }],
  connections: [desk],
  model: ScriptedModel.layer([
    {
      when: userSays("open"),
      reply:
        "We are open from nine to nine on weekdays, and from ten to six on Saturdays. On Sundays we are closed, but " +
        "you can return books through the box beside the door. Is there anything else?"
    },
    { when: userSays("bye"), reply: "Goodbye, and enjoy your books.", toolCall: { name: "end_call" } }
  ]),
  synthesizer: tones ? modemVoice() : SpeechEspeak.layer(),
  transcriber
}

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })

const deployment = Schema.decodeSync(CreateDeployment)({
  name: "Desk",
  app_id: "desk",
  app_version: 1,
  connection_configs: [{ connection_id: "desk", phone_numbers: [number] }]
})

const program = Effect.gen(function*() {
  const { deployments, live } = yield* Engine
  const events = yield* live.watch(scope)
  yield* deployments.create(scope, deployment, "demo")
  yield* Console.log(`Call sip:desk@127.0.0.1:${port}`)
  yield* Stream.runForEach(events, (event) =>
    event.type === "turn"
      ? Console.log(`${event.role === "agent" ? "Agent" : "Caller"}: ${event.text}`)
      : event.type === "attempt.ended"
      ? Console.log("The call has ended.")
      : Effect.void)
})

const carriers = Layer.unwrapScoped(
  Effect.map(CarrierSip.make(process.env), (carrier) => Carriers.layerOf([carrier]))
)

const engine = Engine.layer(options).pipe(
  Layer.provideMerge(carriers),
  Layer.provideMerge(memoryParts(options)),
  Layer.provide(EntropyNode.layer)
)

const level = process.env["DEBUG"] === "1" ? LogLevel.Debug : LogLevel.Info
const main = Effect.runFork(
  Effect.scoped(program).pipe(Effect.provide(engine), Logger.withMinimumLogLevel(level))
)
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => Effect.runFork(Fiber.interrupt(main)))
