import type { Operation } from "@trunkline/http-api"
import type { Resources } from "../generated/Resources.js"
import type { Invoke, MethodArguments } from "./Invocation.js"
import { pagePromise } from "./Pages.js"
import { resourceTable } from "./ResourceTable.js"

/** Makes the method of an operation. */
const methodOf = (invoke: Invoke, operation: Operation) =>
  operation.isPaged
    ? (...args: MethodArguments) => pagePromise(invoke, operation, args)
    : (...args: MethodArguments) => invoke(operation, args)

/**
 * Makes the methods of every resource. Their types are written from the schemas that the operations use, so that the two
 * agree: `npm run check` fails otherwise.
 */
export const makeResources = (invoke: Invoke, operations: ReadonlyArray<Operation>): Resources => {
  const byName = new Map(operations.map((operation) => [operation.name, operation]))
  const resources = Object.entries(resourceTable).map(([resource, methods]) => [
    resource,
    Object.fromEntries(
      Object.entries(methods).flatMap(([method, name]) => {
        const operation = byName.get(name)
        return operation === undefined ? [] : [[method, methodOf(invoke, operation)]]
      })
    )
  ])
  return Object.fromEntries(resources) as Resources
}
