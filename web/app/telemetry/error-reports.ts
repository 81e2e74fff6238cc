import {
  CLIENT_ERRORS_PATH,
  type ClientError,
  type ErrorSource,
  MAX_CODE,
  MAX_MESSAGE,
  MAX_STACK,
} from './client-error';

import { rememberEventId } from './last-event';

export { rememberEventId } from './last-event';

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
