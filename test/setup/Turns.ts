import { setImmediate } from "node:timers/promises"
import { afterEach } from "vitest"

// Tests that never wait would keep the worker from hearing vitest, which gives up after a minute.
afterEach(() => setImmediate())
