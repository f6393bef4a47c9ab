import { Clock, Context, DefaultServices, Effect } from "effect"

/** The longest delay that `setTimeout` accepts, in milliseconds. */
const maxDelay = 2_147_483_647

/** Calls back after a delay in milliseconds, of any length; the returned function cancels it. */
const onTimer = (millis: number, callback: () => void): () => void => {
  const handle = setTimeout(() => {
    if (millis > maxDelay) cancel = onTimer(millis - maxDelay, callback)
    else callback()
  }, Math.min(Math.max(0, millis), maxDelay))
  let cancel = () => clearTimeout(handle)
  return () => cancel()
}

/** Calls back in the next macrotask, after every settled promise has run. */
export const onMacroTask = (callback: () => void): void => void setImmediate(callback)

/** Waits for the next macrotask, so that timers and sockets get their turn during long computations. */
export const macroTask: Effect.Effect<void> = Effect.async((resume) => {
  const handle = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(handle))
})

/** Calls back at a time in milliseconds since 1970; the returned function cancels it. */
export type SetTimer = (at: number, callback: () => void) => () => void

const timers = new WeakMap<object, SetTimer>()

/** Registers how a clock or a business time calls back, which spares a fiber that sleeps. */
export const registerTimer = (time: object, timer: SetTimer): void => void timers.set(time, timer)

/** Timer of a clock; undefined if it only supports sleeping. */
export const timerOf = (time: object): SetTimer | undefined => timers.get(time)

const clockOffsets = new WeakMap<object, number>()

/** Registers that a business time is the Clock of the running fiber plus an offset in milliseconds. */
export const registerClockOffset = (time: object, offset: number): void => void clockOffsets.set(time, offset)

/** Registers that a business time calls back as another one does. */
export const copyTimer = (time: object, other: object): void => {
  const [timer, offset] = [timers.get(other), clockOffsets.get(other)]
  if (timer !== undefined) timers.set(time, timer)
  if (offset !== undefined) clockOffsets.set(time, offset)
}

/** Timer of a business time for a fiber with this clock; undefined if it only supports sleeping. */
export const businessTimerOf = (time: object, clock: Clock.Clock): SetTimer | undefined => {
  const offset = clockOffsets.get(time)
  if (offset === undefined) return timerOf(time)
  const timer = timerOf(clock)
  return timer && ((at, callback) => timer(at - offset, callback))
}

const liveClock = Context.get(DefaultServices.liveServices, Clock.Clock)

registerTimer(liveClock, (at, callback) => onTimer(at - liveClock.unsafeCurrentTimeMillis(), callback))
