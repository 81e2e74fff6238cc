import { DetailedError, Upload } from 'tus-js-client';
import { ConnectionError, problemIn, type SendFile } from './transfer-requests';
import { CONNECTION_LOST, UploadError } from './transfer-store';

/** Continues an upload by tus at the byte that the server has. */
export const sendResumable: SendFile = ({ ticket, file }, onProgress, signal) => {
  const ended = new AbortController();
  let hasProgressed = false;
  return new Promise<void>((resolve, reject) => {
    const upload = new Upload(file, {
      uploadUrl: ticket.resumableUrl,
      storeFingerprintForResuming: false,
      // The engine repeats attempts, and waits for the network.
      retryDelays: null,
      onProgress: (sent, total) => {
        hasProgressed = true;
        onProgress(total > 0 ? sent / total : 0);
      },
      onSuccess: () => resolve(),
      onError: (error) => reject(asTransferError(error, hasProgressed)),
    });
    const stop = (reason: unknown) => {
      void upload.abort();
      reject(reason);
    };
    signal.addEventListener('abort', () => stop(signal.reason), { signal: ended.signal });
    // A request that has lost its network may hang for minutes.
    window.addEventListener('offline', () => stop(new ConnectionError(hasProgressed)), { signal: ended.signal });
    if (signal.aborted) reject(signal.reason);
    else upload.start();
  }).finally(() => ended.abort());
};

/** Statuses of HEAD responses, which have no body. */
const CODE_BY_STATUS = {
  403: 'uploads.url_invalid',
  404: 'uploads.not_found',
  409: 'uploads.closed',
  410: 'uploads.expired',
} as const;

function asTransferError(error: Error, hasProgressed: boolean): Error {
  const response = error instanceof DetailedError ? error.originalResponse : null;
  const status = response?.getStatus() ?? 0;
  if (!response || status === 0 || status >= 500) return new ConnectionError(hasProgressed);
  const problem = problemIn(response.getBody());
  // The next attempt requests the offset.
  if (problem.code === 'uploads.wrong_offset') return new ConnectionError(hasProgressed);
  if (problem !== CONNECTION_LOST) return new UploadError(problem);
  const code = isKnown(status) ? CODE_BY_STATUS[status] : CONNECTION_LOST.code;
  return new UploadError({ code, requestId: response.getHeader('x-request-id') ?? '' });
}

const isKnown = (status: number): status is keyof typeof CODE_BY_STATUS => Object.hasOwn(CODE_BY_STATUS, status);
