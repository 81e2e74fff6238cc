import type { MediaType } from '@clearframe/contract';
import Download from 'lucide-react/icons/download';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FormattedDate } from '../../i18n/formatted-date';
import { ButtonLink, buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import { useDocument } from '../../ui/page/document-data';
import { PictureShape } from '../../ui/picture/picture-shape';
import { Viewer } from '../viewer/viewer';
import type { Size } from '../viewer/zoom';

/** URLs are valid as long as the link. */
export interface SharedView {
  readonly sharingId: string;
  readonly mediaType: MediaType;
  readonly beforeUrl: string;
  readonly afterUrl: string;
  /** First frame of a video's result. */
  readonly posterUrl: string | null;
  /** Frames a second of a video. */
  readonly frameRate: number | null;
  readonly downloadUrl: string;
  readonly hasWatermark: boolean;
  readonly size: Size;
  readonly until: FormattedDate;
}

export function SharedPhoto({ shared }: { readonly shared: SharedView }) {
  const { t } = useTranslation(['result', 'common']);
  const { sharingId, beforeUrl, afterUrl, size } = shared;
  return (
    <SharedLayout shared={shared} tryLabel={t('shared.try')}>
      <Viewer
        taskId={`s/${sharingId}`}
        size={size}
        faces={NO_FACES}
        before={{ files: { url: beforeUrl }, label: t('common:before'), alt: t('shared.beforeAlt') }}
        after={{ files: { url: afterUrl }, label: t('common:after'), alt: t('shared.afterAlt') }}
      />
    </SharedLayout>
  );
}

interface SharedLayoutProps {
  readonly shared: SharedView;
  readonly tryLabel: string;
  readonly children: ReactNode;
}

export function SharedLayout({ shared, tryLabel, children }: SharedLayoutProps) {
  const { t } = useTranslation('result');
  const { nonce } = useDocument();
  const { downloadUrl, hasWatermark, size, until } = shared;
  return (
    <article className="mx-auto flex w-full max-w-7xl flex-1 flex-col gap-5 pb-4 sm:px-8">
      <PictureShape {...size} nonce={nonce} />
      <div data-theme="dark" className="shared-canvas stage-canvas">
        {children}
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
            {tryLabel}
          </AppLink>
        </div>
      </div>
    </article>
  );
}

/** The divider's knob stays where it is: face positions are shown to the owner only. */
const NO_FACES: readonly never[] = [];
