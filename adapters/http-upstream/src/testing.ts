export * from "./fake/FakeServer.js"
export * from "./fake/Listening.js"
export type { Script, Step } from "./fake/Steps.js"
