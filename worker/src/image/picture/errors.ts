import type { InvalidCode } from '@clearframe/contract';

/** The picture is unacceptable: the run ends as `invalid` with this code, without further attempts. */
export class InvalidImageError extends Error {
  constructor(
    readonly code: InvalidCode,
    options?: ErrorOptions,
  ) {
    super(`the picture is unacceptable: ${code}`, options);
    this.name = 'InvalidImageError';
  }
}
