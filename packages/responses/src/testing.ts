export { checkEvents, type ParsedEvents, parseEvents } from "./testing/CheckEvents.js"
