export { testAttempt, testDownload, testEngine, testEngineWith, testInteraction, testKeys } from "./TestEngine.js"
