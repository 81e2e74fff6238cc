import { randomBytes } from 'node:crypto';

interface Detail {
  readonly issue: string;
  readonly description?: string;
  /** JSON pointer into the body, or name of a query parameter. */
  readonly field?: string;
  readonly location?: 'body' | 'query' | 'path' | 'header';
}

/** Sent as the body of a PayPal error response. A rejected request changes nothing. */
export class PayPalError extends Error {
  override readonly name = 'PayPalError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: readonly Detail[] = [],
  ) {
    super(message);
  }

  get body(): object {
    const debugId = randomBytes(7).toString('hex').slice(0, 13);
    return { name: this.code, message: this.message, debug_id: debugId, details: this.details, links: [] };
  }
}

export const invalidRequest = (detail: Detail): PayPalError =>
  new PayPalError(400, 'INVALID_REQUEST', 'Request is not well-formed, syntactically incorrect, or violates schema.', [
    detail,
  ]);

export const unprocessable = (issue: string, description: string): PayPalError =>
  new PayPalError(
    422,
    'UNPROCESSABLE_ENTITY',
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
    [{ issue, description }],
  );

export const notFound = (): PayPalError =>
  new PayPalError(404, 'RESOURCE_NOT_FOUND', 'The specified resource does not exist.', [
    { issue: 'INVALID_RESOURCE_ID', description: 'Specified resource ID does not exist.' },
  ]);

export const unauthenticated = (): PayPalError =>
  new PayPalError(
    401,
    'AUTHENTICATION_FAILURE',
    'Authentication failed due to missing authorization header, or invalid authentication credentials.',
  );

const OUTAGES: Readonly<Record<number, readonly [string, string]>> = {
  429: ['RATE_LIMIT_REACHED', 'Too many requests. Blocked due to rate limiting.'],
  503: ['SERVICE_UNAVAILABLE', 'Service Unavailable.'],
};

export function outage(status: number): PayPalError {
  const [name, message] = OUTAGES[status] ?? ['INTERNAL_SERVER_ERROR', 'An internal server error has occurred.'];
  return new PayPalError(status, name, message);
}
