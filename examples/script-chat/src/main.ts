import { OpenAiModel } from "@trunkline/model-openai"
import { type AnswerEvent, Answers } from "@trunkline/models"
import { ScriptedModel } from "@trunkline/scripted-model"
import { Cause, Effect, Layer, Stream } from "effect"

const [, , question, baseUrl, model = "core-105b"] = process.argv

/** The scripted model, or any server that speaks chat completions. */
const languageModel = baseUrl === undefined ? ScriptedModel.layer() : OpenAiModel.layer({ baseUrl })

/** Words are printed as they come, thoughts in grey, and at the end what it took. */
const print = (event: AnswerEvent) => {
  if (event._tag === "Total") {
    const { inputTokens, outputTokens } = event.usage
    process.stdout.write(`\n(${inputTokens} tokens read, ${outputTokens} written)\n`)
  } else if (event.delta._tag === "Text") {
    process.stdout.write(event.delta.text)
  } else if (event.delta._tag === "Reasoning") {
    process.stdout.write(`\u001b[90m${event.delta.text}\u001b[0m`)
  }
}

const program = Effect.gen(function*() {
  const answers = yield* Answers
  const events = answers.stream({ request: { model, messages: [{ role: "user", content: question ?? "" }] } })
  yield* Stream.runForEach(events, (event) => Effect.sync(() => print(event)))
})

if (question === undefined) {
  console.error(
    "Say what to ask: npm start -w @trunkline/example-script-chat -- \"Hello\" [http://127.0.0.1:11434/v1 [model]]"
  )
  process.exitCode = 1
} else {
  await Effect.runPromise(
    program.pipe(
      Effect.provide(Layer.provide(Answers.layer, languageModel)),
      Effect.catchAllCause((cause) =>
        Effect.sync(() => {
          const why = Cause.squash(cause)
          console.error(why instanceof Error ? why.message : String(why))
          process.exitCode = 1
        })
      )
    )
  )
}
