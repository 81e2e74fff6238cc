export const CLIENT_ERRORS_PATH = '/client-errors';

/** Longest texts of a report, in characters. */
export const MAX_MESSAGE = 500;
export const MAX_STACK = 1_500;
export const MAX_CODE = 100;

export const ERROR_SOURCES = ['error', 'unhandledrejection', 'boundary', 'media'] as const;
/** How an error was noticed; `boundary`: while React rendered, `media`: a picture or task failed (spec 2, section 8). */
export type ErrorSource = (typeof ERROR_SOURCES)[number];

export interface ClientError {
  readonly id: string;
  readonly source: ErrorSource;
  readonly message: string;
  readonly stack: string;
  /** The provider's (`auth/…`) or the API's, if the error has one. */
  readonly errorCode: string | null;
  readonly path: string;
  readonly requestId: string;
}
