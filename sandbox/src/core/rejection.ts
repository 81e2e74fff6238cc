import { ERRORS, type ErrorCode } from '@clearframe/contract';

/** An expected error of a page or of a route for developers, in the product's own shape. */
export class Rejection extends Error {
  override readonly name = 'Rejection';
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    readonly description: string = ERRORS[code].title,
    readonly details?: Readonly<Record<string, unknown>>,
  ) {
    super(description);
    this.status = ERRORS[code].status;
  }
}
