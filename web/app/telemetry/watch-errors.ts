import type { ErrorSource } from './error-reports';

/** Reports an error; the code for it is loaded with the first one. */
export function reportError(source: ErrorSource, error: unknown): void {
  // A report that can't be sent must not be the next error.
  void import('./error-reports').then(
    ({ sendErrorReport }) => sendErrorReport(source, error),
    () => undefined,
  );
}

/** Remembers an error that the server has reported, for a request to support. */
export function rememberError(eventId: string): void {
  void import('./error-reports').then(
    ({ rememberEventId }) => rememberEventId(eventId),
    () => undefined,
  );
}

/** Reports an image that doesn't load, without the signature in its URL. */
export function reportFailedImage(url: string): void {
  const { origin, pathname } = new URL(url, window.location.href);
  reportError('media', new Error(`Image at url ${origin}${pathname} failed to load`));
}

/** Reports errors that no code handles. */
export function watchErrors(): () => void {
  const onError = ({ error, message }: ErrorEvent): void => reportError('error', error ?? message);
  const onRejection = ({ reason }: PromiseRejectionEvent): void => reportError('unhandledrejection', reason);
  window.addEventListener('error', onError);
  window.addEventListener('unhandledrejection', onRejection);
  return () => {
    window.removeEventListener('error', onError);
    window.removeEventListener('unhandledrejection', onRejection);
  };
}
