import { testEngineWith } from "@trunkline/http-api/testing"
import { OpenAiModel } from "@trunkline/model-openai"
import { LanguageModel } from "@trunkline/models"
import { serve } from "@trunkline/node-http"

/** Serves the test engine before the upstream that it is given, or with the scripted model. */
const [, , upstream = ""] = process.argv
const model = upstream === "" ? LanguageModel.layerScripted() : OpenAiModel.layer({ baseUrl: upstream })
const { url } = await serve(testEngineWith({ model }), { port: 0 })
process.on("disconnect", () => process.exit(0))
process.send?.(url)
