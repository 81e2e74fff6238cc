import { readStored, writeStored } from './storage';

const CLIENT_ERRORS_PATH = '/client-errors';

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

/** A page that fails repeatedly must not send reports without end. */
const MAX_REPORTS = 5;
const reported = new Set<string>();

/** Sends an error to the product's monitoring, each once per page. */
export function sendErrorReport(source: ErrorSource, error: unknown): void {
  const { message, stack = '' } = error instanceof Error ? error : { message: String(error) };
  if (reported.has(message) || reported.size >= MAX_REPORTS) return;
  reported.add(message);
  const report: ClientError = {
    id: crypto.randomUUID(),
    source,
    message: message.slice(0, MAX_MESSAGE),
    stack: stack.slice(0, MAX_STACK),
    errorCode: codeOf(error),
    path: window.location.pathname.slice(0, MAX_MESSAGE),
    requestId: document.querySelector<HTMLMetaElement>('meta[name=request-id]')?.content ?? '',
  };
  rememberEventId(report.id);
  navigator.sendBeacon(CLIENT_ERRORS_PATH, new Blob([JSON.stringify(report)], { type: 'application/json' }));
}

function codeOf(error: unknown): string | null {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code.slice(0, MAX_CODE) : null;
}

const KEY = 'clearframe:last-event';

/** Remembers an error of this visit, for a request to support. */
export const rememberEventId = (id: string): void => writeStored('sessionStorage', KEY, { id });

/** Id of the last error; empty without one. */
export function lastEventId(): string {
  const value = readStored('sessionStorage', KEY);
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' ? value.id : '';
}
