/** The child process ended in the middle of a call, or never got ready. The same call may succeed on a new one. */
export class EngineCrashedError extends Error {
  override readonly name = 'EngineCrashedError';
  readonly retryable = true;
}

/** A call took longer than it was given; its child process was killed. */
export class EngineTimeoutError extends Error {
  override readonly name = 'EngineTimeoutError';
  readonly retryable = true;
}

/** A network cannot be used: its file is absent, has other bytes than the manifest promises, or no role is filled. */
export class ModelFileError extends Error {
  override readonly name = 'ModelFileError';
  readonly retryable = false;
}

/** Not even the smallest tile fitted into memory. */
export class OutOfMemoryError extends Error {
  override readonly name = 'OutOfMemoryError';
  readonly retryable = true;
}

/** The shape of an error on its way from the child to its parent. */
export interface SerialisedError {
  name: string;
  message: string;
  /** Whether another try may help; absent where the error did not say. */
  retryable?: boolean;
}

export function serialiseError(error: unknown): SerialisedError {
  if (error instanceof Error) {
    const { name, message } = error;
    return 'retryable' in error && typeof error.retryable === 'boolean'
      ? { name, message, retryable: error.retryable }
      : { name, message };
  }
  return { name: 'Error', message: String(error) };
}

export function reviveError(error: SerialisedError): Error {
  switch (error.name) {
    case 'AbortError':
      return new DOMException(error.message, 'AbortError');
    case 'ModelFileError':
      return new ModelFileError(error.message);
    case 'OutOfMemoryError':
      return new OutOfMemoryError(error.message);
    default:
      return Object.assign(new Error(error.message), {
        name: error.name,
        ...(error.retryable === undefined ? {} : { retryable: error.retryable }),
      });
  }
}
