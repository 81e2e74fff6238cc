import type { InvalidCode } from '@clearframe/contract';

/** Ends the run as `invalid` without further attempts. */
export class InvalidImageError extends Error {
  constructor(
    readonly code: InvalidCode,
    options?: ErrorOptions,
  ) {
    super(`the picture is unacceptable: ${code}`, options);
    this.name = 'InvalidImageError';
  }
}
