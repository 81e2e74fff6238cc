import Download from 'lucide-react/icons/download';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../../../ui/controls/button';
import { useDocument } from '../../../ui/page/document-data';
import { PictureShape } from '../../../ui/picture/picture-shape';

export interface PhotoProps {
  /** URLs are signed and short-lived. */
  readonly photo: {
    readonly url: string;
    readonly downloadUrl: string;
    readonly fileName: string | null;
    readonly width: number;
    readonly height: number;
  };
}

export function Photo({ photo: { url, downloadUrl, fileName, width, height } }: PhotoProps) {
  const { t } = useTranslation('result');
  const { nonce } = useDocument();
  return (
    <section className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-6 px-5 pb-4 sm:px-8">
      <PictureShape width={width} height={height} nonce={nonce} />
      <h1 className="text-center text-title">{t('photo.title')}</h1>
      <div className="flex justify-center">
        <img
          src={url}
          alt={fileName ?? t('afterAlt')}
          width={width}
          height={height}
          className="picture-frame shadow-float"
        />
      </div>
      <div className="flex flex-col items-center gap-4">
        <ButtonLink kind="primary" href={downloadUrl} download>
          <Download aria-hidden className="size-5" />
          {t('download')}
        </ButtonLink>
        <p className="text-center text-sm text-pretty text-muted">{t('photo.note')}</p>
      </div>
    </section>
  );
}
