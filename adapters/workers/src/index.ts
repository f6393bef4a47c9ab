export { entryBeside } from "./WorkerEntry.js"
export {
  type IdleWorkers,
  type IdleWorkersOptions,
  makeIdleWorkers,
  makeWorkerPool,
  type PooledWorker,
  type WorkerLimit,
  type WorkerPool
} from "./WorkerPool.js"
export { type ProcessExit, type ProcessOptions, startProcess, type WorkerProcess } from "./WorkerProcess.js"
export {
  readyMessage,
  type RequestThread,
  type RequestThreadOptions,
  startRequestThread,
  startThread,
  type ThreadHandlers,
  type ThreadOptions,
  WorkerCrashed,
  type WorkerThread
} from "./WorkerThread.js"
