export * from "./Api.js"
export * from "./App.js"
export * from "./Families.js"
export * from "./OpenApi.js"
