import { pictureLinkRoutes } from '@clearframe/contract';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData, useLocation, useRevalidator } from '@remix-run/react';
import Download from 'lucide-react/icons/download';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { callApi, EXPORT_TIMEOUT_MS } from '../../http/api.server';
import { browserAddress, downloadAddress } from '../../http/api-addresses.server';
import { throwPageFor } from '../../http/problem.server';
import { useData } from '../../http/use-data';
import { formatDeletionTime } from '../../i18n/deletion-time';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { ButtonLink } from '../../ui/controls/button';
import { useDocument } from '../../ui/page/document-data';
import { PictureShape } from '../../ui/picture/picture-shape';
import { Preparing, useAutomaticDownload } from '../downloads/preparing';

export const handle = {
  i18n: ['result'],
  showsDeletionDate: true,
  refreshesWithoutScript: (loaded: { readonly photo: { readonly file: object | null } } | undefined) =>
    loaded?.photo.file === null,
};

/** The paid picture behind the link of a guest's receipt. `?key=` authorizes; no session is needed. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = new URL(request.url).searchParams.get('key');
  if (!token || token.length > 255) return throwPageFor('picture_links.not_found', context);
  const [picture, language, t] = await Promise.all([
    // Renders the file.
    callApi(pictureLinkRoutes.openPictureLink, { body: { token } }, { context, request, timeoutMs: EXPORT_TIMEOUT_MS }),
    languageOf(request),
    translatorFor(request, 'result'),
  ]);
  const { url, fileName, width, height, expiresAt } = picture;
  return {
    photo: {
      /** Null while it is prepared. */
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
  };
}

export { privateHeaders as headers } from '../../http/page';

/** The URL is a credential, hidden from other sites. 'no-referrer' would fail our own same-origin check of forms. */
export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex, noarchive' },
  { name: 'referrer', content: 'same-origin' },
];

/** Spec 2, section 9. */
const POLL_MS = 2_000;

export default function PhotoPage() {
  const { photo } = useLoaderData<typeof loader>();
  const { file, fileName, width, height } = photo;
  const { t } = useTranslation('result');
  const { nonce } = useDocument();
  const awaitsDownload = useRef(false);
  if (!file) awaitsDownload.current = true;
  useAutomaticDownload(awaitsDownload.current && file ? file.downloadUrl : null);
  const { search } = useLocation();
  const { revalidate } = useRevalidator();
  useData(file ? null : ['/photo', search], {
    request: async () => {
      await revalidate();
      return null;
    },
    revalidateOnMount: false,
    refreshInterval: POLL_MS,
    dedupingInterval: 0,
  });
  return (
    <section className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-6 px-5 pb-4 sm:px-8">
      <PictureShape width={width} height={height} nonce={nonce} />
      <h1 className="text-center text-title">{t('photo.title')}</h1>
      {file ? (
        <>
          <div className="flex justify-center">
            <img
              src={file.url}
              alt={fileName ?? t('afterAlt')}
              width={width}
              height={height}
              className="picture-frame shadow-float"
            />
          </div>
          <div className="flex flex-col items-center gap-4">
            <ButtonLink kind="primary" href={file.downloadUrl} download>
              <Download aria-hidden className="size-5" />
              {t('download')}
            </ButtonLink>
            <p className="text-center text-sm text-pretty text-muted">{t('photo.note')}</p>
          </div>
        </>
      ) : (
        <Preparing className="flex-1 justify-center" />
      )}
    </section>
  );
}
