export { checkEvents, type ParsedEvents, parseEvents } from "./checking/CheckEvents.js"
