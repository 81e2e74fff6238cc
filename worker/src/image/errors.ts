import type { InvalidCode } from '@clearframe/contract';

/** Ends the run as `invalid` without further attempts. */
export class InvalidImageError extends Error {
  readonly code: InvalidCode;

  // No parameter property: the process of a video loads this file, in tests by stripping its types.
  constructor(code: InvalidCode, options?: ErrorOptions) {
    super(`the file is unacceptable: ${code}`, options);
    this.name = 'InvalidImageError';
    this.code = code;
  }
}
