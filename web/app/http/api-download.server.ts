import type { RouteRequest, RouteSpec } from '@clearframe/contract';
import { ApiError, type Caller, EXPORT_TIMEOUT_MS, headersOf, problemIn, urlOf } from './api.server';

const FORWARDED_HEADERS = ['content-type', 'content-disposition', 'content-length'];

type FileRoute = RouteSpec & { readonly method: 'GET'; readonly file: string };

/**
 * Streams a file of the API to the browser, no faster than the browser reads it. The time limit is for the response's
 * start: a download may take long.
 * @throws ApiError
 */
export async function downloadFromApi<const Route extends FileRoute>(
  route: Route,
  input: RouteRequest<Route>,
  caller: Caller & { readonly request: Request },
): Promise<Response> {
  const { context, request } = caller;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('no response in time')), EXPORT_TIMEOUT_MS);
  try {
    const response = await fetch(urlOf(route, input, context.settings.apiUrl), {
      headers: await headersOf(route, caller),
      signal: AbortSignal.any([request.signal, late.signal]),
      redirect: 'error',
    });
    if (!response.ok || !response.body)
      throw problemIn(response.status, response.headers.get('retry-after'), await response.text(), context.requestId);
    const headers = new Headers({ 'cache-control': 'no-store' });
    for (const name of FORWARDED_HEADERS) {
      const value = response.headers.get(name);
      if (value) headers.set(name, value);
    }
    return new Response(throttled(response.body, context.whenWritable), { headers });
  } catch (cause) {
    request.signal.throwIfAborted();
    throw cause instanceof ApiError ? cause : ApiError.of('service.unavailable', context.requestId, cause);
  } finally {
    clearTimeout(timer);
  }
}

function throttled(body: ReadableStream<Uint8Array>, whenWritable: () => Promise<void>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await whenWritable();
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
