import { modelIds } from "@trunkline/models"
import { languageModelLaws } from "@trunkline/models/testing"
import { ScriptedModel } from "@trunkline/scripted-model"

for (const model of [...modelIds, "mine"]) {
  languageModelLaws(`scripted, ${model}`, ScriptedModel.layer(), { model })
}
