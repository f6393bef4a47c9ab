export { RehearsalBroke } from "./RehearsalThread.js"
export * from "./RehearsalWorker.js"
