export const bytesOf = (json: unknown) =>
  new TextEncoder().encode(typeof json === "string" ? json : JSON.stringify(json))

export const phone_number = { column_name: "mobile" }
