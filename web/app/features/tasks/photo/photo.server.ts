import { pictureLinkRoutes } from '@clearframe/contract';
import { data, type LoaderFunctionArgs } from '@remix-run/node';
import { browserAddress, downloadAddress } from '../../../http/addresses.server';
import { callApi, EXPORT_TIMEOUT_MS } from '../../../http/api.server';
import { asApiError, throwPageFor, throwProblemPage } from '../../../http/problem.server';
import { languageOf, translatorFor } from '../../../i18n/i18n.server';
import { formatDeletionDate } from '../task/deletion-date';

/** The paid picture that the link in a guest's receipt leads to. `?key=` is all it needs: no session is asked for. */
export async function loadPhoto({ request, context }: LoaderFunctionArgs) {
  const token = new URL(request.url).searchParams.get('key');
  if (!token || token.length > 255) return throwPageFor('picture_links.not_found', context);
  try {
    const [picture, language, t] = await Promise.all([
      // The first opening makes the file.
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
          url: browserAddress(url, context.settings),
          downloadUrl: downloadAddress(url, context.settings),
          fileName,
          width,
          height,
        },
        deletion: formatDeletionDate(expiresAt, new Date(), language),
        title: t('photo.title'),
      },
      { headers: { 'cache-control': 'no-store' } },
    );
  } catch (error) {
    request.signal.throwIfAborted();
    return throwProblemPage(asApiError(error, context));
  }
}
