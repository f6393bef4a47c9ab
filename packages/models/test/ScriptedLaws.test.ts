import { LanguageModel, modelIds } from "@trunkline/models"
import { languageModelLaws } from "@trunkline/models/testing"

for (const model of [...modelIds, "mine"]) {
  languageModelLaws(`scripted, ${model}`, LanguageModel.layerScripted(), { model })
}
