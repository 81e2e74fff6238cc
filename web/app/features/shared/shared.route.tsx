import { SHARE_PREVIEW_SIZE, type Sharing, sharingRoutes } from '@clearframe/contract';
import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import Download from 'lucide-react/icons/download';
import { useTranslation } from 'react-i18next';
import { callApi } from '../../http/api.server';
import { browserAddress, downloadAddress } from '../../http/api-addresses.server';
import { formatExpiryDate } from '../../i18n/deletion-time';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { ButtonLink, buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import { useDocument } from '../../ui/page/document-data';
import { PictureShape } from '../../ui/picture/picture-shape';
import { VideoComparison } from '../videos/video-comparison';
import { Viewer } from '../viewer/viewer';

export const handle = { i18n: ['result'], describesItself: true };

/** Unknown and expired links throw one error page, with the status 404 or 410. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const { sharingId = '' } = params;
  const [sharing, language, t] = await Promise.all([
    callApi(sharingRoutes.getSharing, { params: { sharingId } }, { context, request }),
    languageOf(request),
    translatorFor(request, 'result'),
  ]);
  const { settings } = context;
  const { mediaType, inputUrl, outputUrl, posterUrl, frameRate, hasWatermark, width, height, expiresAt } = sharing;
  return data({
    shared: {
      sharingId,
      mediaType,
      frameRate,
      /** First frame of a video's result. */
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
  });
}

/** Absolute, for other sites. */
const pictureOf = ({ previewUrl, posterUrl, outputUrl, width, height }: Sharing) =>
  previewUrl ? { url: previewUrl, ...SHARE_PREVIEW_SIZE } : { url: posterUrl ?? outputUrl, width, height };

export { privateHeaders as headers } from '../../http/page';

/** The URL gives access to a photo, so it is hidden from other sites. */
export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => {
  if (!loaded) return [];
  const { title, description, url, picture } = loaded.preview;
  return [
    { title },
    { name: 'description', content: description },
    { name: 'robots', content: 'noindex, noarchive' },
    { name: 'referrer', content: 'same-origin' },
    { property: 'og:type', content: 'website' },
    { property: 'og:url', content: url },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:image', content: picture.url },
    { property: 'og:image:width', content: String(picture.width) },
    { property: 'og:image:height', content: String(picture.height) },
    { property: 'og:image:alt', content: title },
    { name: 'twitter:card', content: 'summary_large_image' },
    { name: 'twitter:title', content: title },
    { name: 'twitter:description', content: description },
    { name: 'twitter:image', content: picture.url },
  ];
};

/** The divider's knob stays where it is: face positions are shown to the owner only. */
const NO_FACES: readonly never[] = [];

export default function SharedPage() {
  const { t } = useTranslation(['result', 'common']);
  const { nonce } = useDocument();
  const { shared } = useLoaderData<typeof loader>();
  const { sharingId, beforeUrl, afterUrl, downloadUrl, hasWatermark, size, until } = shared;
  const isVideo = shared.mediaType === 'video';
  return (
    <article className="mx-auto flex w-full max-w-7xl flex-1 flex-col gap-5 pb-4 sm:px-8">
      <PictureShape {...size} nonce={nonce} />
      <div data-theme="dark" className="shared-canvas stage-canvas">
        {isVideo ? (
          <VideoComparison
            key={sharingId}
            video={{ ...shared, beforePosterUrl: null, afterPosterUrl: shared.posterUrl, duration: null }}
          />
        ) : (
          <Viewer
            key={sharingId}
            taskId={`s/${sharingId}`}
            size={size}
            faces={NO_FACES}
            before={{ files: { url: beforeUrl }, label: t('common:before'), alt: t('shared.beforeAlt') }}
            after={{ files: { url: afterUrl }, label: t('common:after'), alt: t('shared.afterAlt') }}
          />
        )}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-5 px-5 sm:px-0">
        <div className="flex min-w-0 flex-col gap-1">
          <h1 className="text-title">{t('shared.heading')}</h1>
          <p className="text-sm text-pretty text-muted">
            <time dateTime={until.iso}>{t('shared.until', { date: until.text })}</time>
          </p>
        </div>
        <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:flex-col-reverse">
          <ButtonLink kind="quiet" href={downloadUrl} download>
            <Download aria-hidden className="size-5" />
            {hasWatermark ? t('freeFile') : t('download')}
          </ButtonLink>
          <AppLink to="/" className={buttonClass('primary')}>
            {t(isVideo ? 'video.sharedTry' : 'shared.try')}
          </AppLink>
        </div>
      </div>
    </article>
  );
}
