export {
  type CalleeLine,
  type LegEvent,
  runTestCall,
  type ScriptedLeg,
  scriptedLeg,
  type ScriptedLegOptions,
  type TestCall,
  testCallBrief,
  type TestCallResult
} from "./testing/TestCall.js"
