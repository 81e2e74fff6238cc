import { inMilliseconds } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';

const TIMEOUT_MS = inMilliseconds.seconds(5);

interface HostRequest {
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Posts to another host than the product's: without the visitor's token, cookies and address. Failures are logged and
 * cause no error for the visitor.
 */
export async function postToHost(
  host: URL,
  path: string,
  { body, headers }: HostRequest,
  { logger }: AppLoadContext,
): Promise<void> {
  const url = new URL(`${host.pathname.replace(/\/$/, '')}${path}`, host);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
    await response.body?.cancel();
    if (!response.ok) logger.warn({ host: url.host, status: response.status }, 'events were rejected');
  } catch (cause) {
    logger.warn({ host: url.host, err: cause }, 'events could not be sent');
  }
}
