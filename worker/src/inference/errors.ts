import { ConfigurationError } from '@clearframe/runtime/environment';
import { ModelFileError } from '../networks/manifest.js';
import { OutOfMemoryError } from '../networks/tiling.js';

/** During a call or before readiness. A new process may succeed. */
export class EngineCrashedError extends Error {
  override readonly name = 'EngineCrashedError';
  readonly retryable = true;
}

export class EngineTimeoutError extends Error {
  override readonly name = 'EngineTimeoutError';
  readonly retryable = true;
}

export interface SerializedError {
  name: string;
  message: string;
  retryable?: boolean;
}

export function serializeError(error: unknown): SerializedError {
  if (error instanceof Error) {
    const { name, message } = error;
    return 'retryable' in error && typeof error.retryable === 'boolean'
      ? { name, message, retryable: error.retryable }
      : { name, message };
  }
  return { name: 'Error', message: String(error) };
}

export function reviveError(error: SerializedError): Error {
  switch (error.name) {
    case 'AbortError':
      return new DOMException(error.message, 'AbortError');
    case 'ConfigurationError':
      return new ConfigurationError(error.message);
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
