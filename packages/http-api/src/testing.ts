export { testDownload, testEngine, testEngineWith, testInteraction, testKeys } from "./TestEngine.js"
