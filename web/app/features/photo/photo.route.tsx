import type { MetaFunction } from '@remix-run/node';
import { useLoaderData, useLocation, useRevalidator } from '@remix-run/react';
import Download from 'lucide-react/icons/download';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useData } from '../../http/use-data';
import { ButtonLink } from '../../ui/controls/button';
import { useDocument } from '../../ui/page/document-data';
import { PictureShape } from '../../ui/picture/picture-shape';
import { Preparing } from '../downloads/preparing';
import { useAutomaticDownload } from '../downloads/use-automatic-download';
import { loadPhoto } from './photo.server';

export const handle = {
  i18n: ['result'],
  showsDeletionDate: true,
  refreshesWithoutScript: (loaded: { readonly photo: PhotoProps['photo'] } | undefined) => loaded?.photo.file === null,
};
export const loader = loadPhoto;
export { pageHeaders as headers } from '../../http/page-headers';

/** The URL is a credential, hidden from other sites. 'no-referrer' would fail our own same-origin check of forms. */
export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex, noarchive' },
  { name: 'referrer', content: 'same-origin' },
];

export default function PhotoPage() {
  const { photo } = useLoaderData<typeof loader>();
  return <Photo photo={photo} />;
}

/** Spec 2, section 9. */
const POLL_MS = 2_000;

export interface PhotoProps {
  readonly photo: {
    /** URLs are signed and short-lived; null while the file is prepared. */
    readonly file: { readonly url: string; readonly downloadUrl: string } | null;
    readonly fileName: string | null;
    readonly width: number;
    readonly height: number;
  };
}

function Photo({ photo: { file, fileName, width, height } }: PhotoProps) {
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
