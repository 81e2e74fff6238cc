import { pictureLinkRoutes } from '@clearframe/contract';
import { data, type LoaderFunctionArgs } from '@remix-run/node';
import { callApi, EXPORT_TIMEOUT_MS } from '../../http/api.server';
import { browserAddress, downloadAddress } from '../../http/api-addresses.server';
import { asApiError, throwPageFor, throwProblemPage } from '../../http/problem.server';
import { formatDeletionTime } from '../../i18n/deletion-time';
import { languageOf, translatorFor } from '../../i18n/i18n.server';

/** The paid picture behind the link of a guest's receipt. `?key=` authorizes; no session is needed. */
export async function loadPhoto({ request, context }: LoaderFunctionArgs) {
  const token = new URL(request.url).searchParams.get('key');
  if (!token || token.length > 255) return throwPageFor('picture_links.not_found', context);
  try {
    const [picture, language, t] = await Promise.all([
      // Renders the file.
      callApi(
        pictureLinkRoutes.openPictureLink,
        { body: { token } },
        { context, request, timeoutMs: EXPORT_TIMEOUT_MS },
      ),
      languageOf(request),
      translatorFor(request, 'result'),
    ]);
    const { url, fileName, width, height, expiresAt } = picture;
    return data(
      {
        photo: {
          file:
            url === null
              ? null
              : {
                  url: browserAddress(url, context.settings),
                  downloadUrl: downloadAddress(url, context.settings),
                },
          fileName,
          width,
          height,
        },
        deletion: formatDeletionTime(expiresAt, new Date(), language),
        title: t('photo.title'),
      },
      { headers: { 'cache-control': 'no-store' } },
    );
  } catch (error) {
    request.signal.throwIfAborted();
    return throwProblemPage(asApiError(error, context));
  }
}
