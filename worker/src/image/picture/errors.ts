import type { InvalidCode } from '@clearframe/contract';

/** The picture itself is unacceptable: the run ends as `invalid` with this code, and trying again would not help. */
export class InvalidImageError extends Error {
  constructor(
    readonly code: InvalidCode,
    options?: ErrorOptions,
  ) {
    super(`the picture is not acceptable: ${code}`, options);
    this.name = 'InvalidImageError';
  }
}
