import { SHARE_PREVIEW_SIZE, type Sharing, sharingRoutes } from '@clearframe/contract';
import { data, type LoaderFunctionArgs } from '@remix-run/node';
import { callApi } from '../../http/api.server';
import { browserAddress, downloadAddress } from '../../http/api-addresses.server';
import { asApiError, throwProblemPage } from '../../http/problem.server';
import { formatExpiryDate } from '../../i18n/deletion-time';
import { languageOf, translatorFor } from '../../i18n/i18n.server';

/** Unknown and expired links throw one error page, with the status 404 or 410. */
export async function loadShared({ request, context, params }: LoaderFunctionArgs) {
  const { sharingId = '' } = params;
  try {
    const [sharing, language, t] = await Promise.all([
      callApi(sharingRoutes.getSharing, { params: { sharingId } }, { context, request }),
      languageOf(request),
      translatorFor(request, 'result'),
    ]);
    const { settings } = context;
    const { mediaType, inputUrl, outputUrl, posterUrl, frameRate, hasWatermark, width, height, expiresAt } = sharing;
    return data(
      {
        shared: {
          sharingId,
          mediaType,
          frameRate,
          posterUrl: posterUrl && browserAddress(posterUrl, settings),
          beforeUrl: browserAddress(inputUrl, settings),
          afterUrl: browserAddress(outputUrl, settings),
          downloadUrl: downloadAddress(outputUrl, settings),
          hasWatermark,
          size: { width, height },
          until: formatExpiryDate(expiresAt, new Date(), language),
        },
        preview: {
          title: t(mediaType === 'video' ? 'video.sharedTitle' : 'shared.title'),
          description: t(mediaType === 'video' ? 'video.sharedDescription' : 'shared.description'),
          url: new URL(`/s/${sharingId}`, settings.publicUrl).href,
          picture: pictureOf(sharing),
        },
      },
      { headers: { 'cache-control': 'no-store' } },
    );
  } catch (error) {
    request.signal.throwIfAborted();
    return throwProblemPage(asApiError(error, context));
  }
}

/** Absolute, for other sites. */
const pictureOf = ({ previewUrl, posterUrl, outputUrl, width, height }: Sharing) =>
  previewUrl ? { url: previewUrl, ...SHARE_PREVIEW_SIZE } : { url: posterUrl ?? outputUrl, width, height };
