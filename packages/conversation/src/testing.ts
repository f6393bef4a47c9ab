export * from "./ScriptedLeg.js"
export * from "./TestCall.js"
