import { afterAll, beforeAll } from "@effect/vitest"
import { testEngineWith } from "@trunkline/http-api/testing"
import { LanguageModel, type ScriptedRule } from "@trunkline/models"
import { serve, type Serving } from "@trunkline/node-http"

/** The test engine over HTTP for the tests of a file, with a scripted model that follows these rules first. */
export const servedWith = (rules: ReadonlyArray<ScriptedRule>): { readonly url: string } => {
  let serving: Serving | undefined
  beforeAll(async () => {
    serving = await serve(testEngineWith({ model: LanguageModel.layerScripted(rules) }), { port: 0 })
  })
  afterAll(() => serving?.close())
  return {
    get url() {
      return serving?.url ?? ""
    }
  }
}
