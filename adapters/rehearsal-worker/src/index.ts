export { RehearsalBroke } from "./RehearsalThread.js"
export { RehearsalWorker, type RehearsalWorkerOptions } from "./RehearsalWorker.js"
