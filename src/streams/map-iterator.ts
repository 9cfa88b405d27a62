/**
 * Maps each value of an async generator. A generator function with `for await … yield` would keep the value it is suspended
 * at alive; this keeps nothing, which matters where many readers are suspended for long with a large batch each.
 */
export function mapIterator<From, To>(inside: AsyncGenerator<From>, map: (value: From) => To): AsyncGenerator<To> {
  const mapped = ({ done, value }: IteratorResult<From>): IteratorResult<To> =>
    done === true ? { done: true, value: undefined } : { done: false, value: map(value) }
  return {
    next: async () => mapped(await inside.next()),
    return: async () => mapped(await inside.return(undefined)),
    throw: async (error) => mapped(await inside.throw(error)),
    [Symbol.asyncIterator]() {
      return this
    },
    async [Symbol.asyncDispose]() {
      await inside.return(undefined)
    },
  }
}
