export * from "./checking/CheckEvents.js"
export * from "./checking/EventsIn.js"
