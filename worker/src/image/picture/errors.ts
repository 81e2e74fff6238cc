import type { VideoInvalidCode } from '@clearframe/contract';

/** Ends the run as `invalid` without further attempts. */
export class InvalidImageError extends Error {
  readonly code: VideoInvalidCode;

  // No parameter property: the process of a video loads this file, in tests by stripping its types.
  constructor(code: VideoInvalidCode, options?: ErrorOptions) {
    super(`the file is unacceptable: ${code}`, options);
    this.name = 'InvalidImageError';
    this.code = code;
  }
}
