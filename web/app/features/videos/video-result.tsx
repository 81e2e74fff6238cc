import { type ErrorCode, restoresFaces, VIDEO_MAX_SIDE } from '@clearframe/contract';
import type { TFunction } from 'i18next';
import Download from 'lucide-react/icons/download';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { videoAddress } from '../../session/task-addresses';
import { Notice } from '../../ui/content/notice';
import { ButtonLink } from '../../ui/controls/button';
import { AppLink, TEXT_LINK } from '../../ui/page/app-link';
import { useDocument } from '../../ui/page/document-data';
import { PictureShape } from '../../ui/picture/picture-shape';
import { Sheet } from '../../ui/stage/sheet';
import { StageLayout } from '../../ui/stage/stage-layout';
import { ShareButton } from '../sharing/share-button';
import { StageLinks } from '../shell/header';
import { fileSize, PartsRow, Row } from '../tasks/detail-row';
import { useFreshUrls } from '../tasks/use-task';
import type { ToolView } from '../tools/tools-view';
import { formatTimecode } from './sync';
import type { VideoResultView, VideoView } from './video.server';
import { VideoComparison } from './video-comparison';
import { VideoTools } from './video-tools';

interface VideoResultProps {
  readonly video: VideoView;
  readonly result: VideoResultView;
  readonly tools: readonly ToolView[];
  readonly problem: ErrorCode | null;
  readonly isDelayed: boolean;
  readonly refresh: () => Promise<VideoView | null>;
}

export function VideoResult({ video, result, tools, problem, isDelayed, refresh }: VideoResultProps) {
  const { t } = useTranslation(['result', 'common']);
  const { nonce } = useDocument();
  const { taskId } = video;
  const error = problem ?? video.lastError;
  const { areFresh } = useFreshUrls(refresh);
  const onDownload = (event: MouseEvent) => {
    if (areFresh()) return;
    event.preventDefault();
    void refresh().then((fresh) => {
      if (fresh?.result) window.location.assign(fresh.result.downloadUrl);
    });
  };
  return (
    <>
      <PictureShape {...result.size} nonce={nonce} />
      <StageLayout
        heading={t('video.title')}
        fileName={video.fileName}
        tools={
          <>
            <ShareButton taskId={taskId} />
            <StageLinks />
          </>
        }
        actions={
          <ButtonLink
            kind="primary"
            size="small"
            className="min-h-11 max-lg:flex-1"
            href={result.downloadUrl}
            download
            onClick={onDownload}
          >
            <Download aria-hidden className="size-5" />
            {t('video.download')}
          </ButtonLink>
        }
        panel={
          <Sheet label={t('panel.label')} summary={<VideoNotes result={result} />}>
            <div className="flex flex-col gap-8">
              <VideoVersions video={video} shownId={result.id} />
              <VideoTools key={result.id} video={video} tools={tools} />
              <section className="flex flex-col gap-4">
                <h2 className="font-medium">{t('details')}</h2>
                <VideoDetails video={video} result={result} />
              </section>
            </div>
          </Sheet>
        }
        notices={
          <>
            {isDelayed && <Notice>{t('refreshFailed')}</Notice>}
            {error && <Notice>{t(`common:errors.${error}`)}</Notice>}
          </>
        }
      >
        <VideoComparison key={result.id} video={result} />
      </StageLayout>
    </>
  );
}

function VideoNotes({ result }: { readonly result: VideoResultView }) {
  const { t } = useTranslation('result');
  const notes = notesOf(result, t);
  if (notes.length === 0) return null;
  return (
    <ul className="summary-notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

function notesOf({ recipe, notes, faces }: VideoResultView, t: TFunction<'result'>): readonly string[] {
  const about = () => {
    // Only faces have models.
    if (!recipe.tools.includes('face_enhance')) return [];
    if (!restoresFaces(recipe.name)) return [t('video.notes.signal')];
    return [faces > 0 ? t('video.notes.faces', { count: faces }) : t('video.notes.noFaces')];
  };
  return [...about(), ...notes.map((note) => t(`video.notes.${note}`, { pixels: VIDEO_MAX_SIDE }))];
}

interface VideoVersionsProps {
  readonly video: Pick<VideoView, 'taskId' | 'versions'>;
  readonly shownId: string;
}

function VideoVersions({ video: { taskId, versions }, shownId }: VideoVersionsProps) {
  const { t } = useTranslation('result');
  if (versions.length < 2) return null;
  return (
    <nav aria-label={t('panel.results.title')} className="flex flex-col gap-2">
      <h2 className="font-medium">{t('panel.results.title')}</h2>
      <ul className="-mx-1 flex gap-2 overflow-x-auto p-1">
        {versions.map(({ id, number, posterUrl }) => (
          <li key={id} className="w-20 shrink-0">
            <AppLink
              to={videoAddress(taskId, id)}
              replace
              preventScrollReset
              aria-current={id === shownId ? 'true' : undefined}
              className="version"
            >
              <img src={posterUrl} alt="" loading="lazy" className="filter-picture object-cover" />
              <span className="text-center text-caption">{t('panel.results.version', { number })}</span>
            </AppLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface VideoDetailsProps {
  readonly video: VideoView;
  readonly result: VideoResultView;
}

/** A list with the commas of the language. */
const listOf = (names: readonly string[], language: string): string =>
  new Intl.ListFormat(language, { style: 'narrow' }).format(names);

function VideoDetails({ video, result }: VideoDetailsProps) {
  const { t, i18n } = useTranslation('result');
  const { details, fileName } = video;
  const { recipe } = result;
  // Faces need a network.
  const tools = recipe.tools.filter((tool) => recipe.name === 'faces' || tool !== 'face_enhance');
  return (
    <div className="flex flex-col gap-6">
      <dl className="flex flex-col gap-3 text-sm">
        {tools.length > 0 && (
          <Row term={t('video.tools')}>
            {listOf(
              tools.map((tool) => t(`panel.tools.${TOOL_KEYS[tool]}`)),
              i18n.language,
            )}
          </Row>
        )}
        {fileName && <Row term={t('fileName')}>{fileName}</Row>}
        <PartsRow
          term={t('panel.details.original')}
          parts={[
            details.type,
            details.size && t('panel.details.pixels', details.size),
            details.bytes && fileSize(details.bytes, t),
          ]}
        />
        {details.hash && (
          <Row term="SHA-256">
            <code className="text-caption break-all">{details.hash}</code>
          </Row>
        )}
        <PartsRow
          term={t('panel.details.result')}
          parts={['MP4', t('panel.details.pixels', { ...result.size }), fileSize(result.sizeBytes, t)]}
        />
        <PartsRow
          term={t('video.length')}
          parts={[
            details.duration !== null && formatTimecode(details.duration),
            details.frameRate !== null && t('video.frameRate', { rate: Math.round(details.frameRate * 100) / 100 }),
          ]}
        />
        <Row term={t('panel.details.networks')}>
          {recipe.networks.length > 0
            ? recipe.networks.map(({ id, version }) => `${id} ${version}`).join(', ')
            : t('panel.details.noNetworks')}
        </Row>
      </dl>
      {details.originalAddress && (
        <a href={details.originalAddress} download className={`${TEXT_LINK} flex min-h-11 items-center text-sm`}>
          {t('panel.details.downloadOriginal')}
        </a>
      )}
      <p className="text-sm text-muted pointer-coarse:hidden nojs:hidden">{t('video.keys')}</p>
    </div>
  );
}

const TOOL_KEYS = {
  face_enhance: 'faceEnhance',
  background_enhance: 'backgroundEnhance',
  color_enhance: 'colorEnhance',
} as const;
