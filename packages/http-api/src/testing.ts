export {
  testAttempt,
  testDownload,
  testEngine,
  testEngineWith,
  testInteraction,
  testKeys
} from "./testing/TestEngine.js"
