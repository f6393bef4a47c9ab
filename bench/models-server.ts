import { testEngineWith } from "@trunkline/http-api/testing"
import { OpenAiModel } from "@trunkline/model-openai"
import { serve } from "@trunkline/node-http"
import { ScriptedModel } from "@trunkline/scripted-model"
import "./models-vitals.js"

/** Serves the test engine with the given upstream, or with the scripted model. */
const [, , upstream = ""] = process.argv
const model = upstream === "" ? ScriptedModel.layer() : OpenAiModel.layer({ baseUrl: upstream })
const { url } = await serve(testEngineWith({ model }), { port: 0 })
process.on("disconnect", () => process.exit(0))
process.send?.(url)
