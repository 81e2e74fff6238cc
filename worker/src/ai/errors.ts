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

/** The pipeline names a tool that this version of the engine does not have. */
export class ToolNotAvailableError extends Error {
  override readonly name = 'ToolNotAvailableError';
  readonly retryable = false;
  readonly tool: string;

  constructor(tool: string) {
    super(`The tool ${tool} is not available yet`);
    this.tool = tool;
  }
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
  tool?: string;
}

export function serialiseError(error: unknown): SerialisedError {
  if (error instanceof ToolNotAvailableError) return { name: error.name, message: error.message, tool: error.tool };
  if (error instanceof Error) return { name: error.name, message: error.message };
  return { name: 'Error', message: String(error) };
}

export function reviveError(error: SerialisedError): Error {
  if (error.tool !== undefined) return new ToolNotAvailableError(error.tool);
  switch (error.name) {
    case 'AbortError':
      return new DOMException(error.message, 'AbortError');
    case 'ModelFileError':
      return new ModelFileError(error.message);
    case 'OutOfMemoryError':
      return new OutOfMemoryError(error.message);
    default:
      return Object.assign(new Error(error.message), { name: error.name });
  }
}
