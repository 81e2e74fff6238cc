import { IMAGE_LIMITS, megabytes, megapixels, OUTPUT_MAX_SIDE, TIME_LIMITS } from '@clearframe/contract';
import {
  type AppLoadContext,
  createReadableStreamFromReadable,
  type EntryContext,
  type HandleDataRequestFunction,
  type HandleErrorFunction,
} from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '@remix-run/react';
import { isbot } from 'isbot';
import { renderToPipeableStream } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import {
  compileBundle,
  directionOfTag,
  i18nForPage,
  languageOf,
  messagesForPage,
  offeredLanguages,
} from './i18n/i18n.server';
import { themeCookie } from './session/preferences.server';
import { type DocumentData, DocumentProvider } from './ui/page/document-data';
import { documentStream } from './ui/page/document-stream.server';

const TIMEOUT_MS = TIME_LIMITS.call.browser;

const LIMITS: DocumentData['limits'] = {
  megabytes: IMAGE_LIMITS.maxBytes / megabytes(1),
  megapixels: IMAGE_LIMITS.maxPixels / megapixels(1),
  pixels: OUTPUT_MAX_SIDE,
};

/** Pages vary by language, visitor and, for prices, country. */
function setCachePolicy(headers: Headers, { settings }: AppLoadContext): void {
  if (!headers.has('cache-control')) headers.set('cache-control', 'private, no-cache');
  headers.append('vary', 'Accept-Language, Cookie');
  if (settings.countryHeader !== null) headers.append('vary', settings.countryHeader);
}

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  const { nonce, requestId, logger } = context;
  const language = await languageOf(request);
  const messages = messagesForPage(language, remixContext);
  const i18n = await i18nForPage(language, messages);
  const data: DocumentData = {
    language,
    direction: directionOfTag(language),
    languages: offeredLanguages,
    theme: (await themeCookie.read(request)) ?? 'system',
    limits: LIMITS,
    messages: compileBundle(language, Object.keys(messages)),
    requestId,
  };
  const isBrowser = !isbot(request.headers.get('user-agent'));

  return new Promise((resolve, reject) => {
    let hasStarted = false;
    const respond = () => {
      hasStarted = true;
      const body = documentStream();
      headers.set('content-type', 'text/html; charset=utf-8');
      setCachePolicy(headers, context);
      resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
      stream.pipe(body);
    };
    const stream = renderToPipeableStream(
      <I18nextProvider i18n={i18n}>
        <DocumentProvider data={data} nonce={nonce}>
          <RemixServer context={remixContext} url={request.url} nonce={nonce} abortDelay={TIMEOUT_MS} />
        </DocumentProvider>
      </I18nextProvider>,
      {
        nonce,
        [isBrowser ? 'onShellReady' : 'onAllReady']: respond,
        onShellError: reject,
        onError: (error) => {
          if (hasStarted) logger.error({ err: error }, 'rendering failed after the response had started');
        },
      },
    );
    setTimeout(() => stream.abort(), TIMEOUT_MS + 1_000).unref();
  });
}

export { withAnswers } from './session/answers.server';

export const handleDataRequest: HandleDataRequestFunction = (response, { context }) => {
  setCachePolicy(response.headers, context);
  return response;
};

/** Logs server errors only: neither aborted requests nor 4xx. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  context.logger.error({ err: error, path: new URL(request.url).pathname }, 'unhandled error');
};
