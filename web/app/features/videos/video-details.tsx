import { useTranslation } from 'react-i18next';
import { TEXT_LINK } from '../../ui/page/app-link';
import { fileSize, PartsRow, Row } from '../tasks/detail-row';
import { formatTimecode } from './sync';
import type { VideoResultView, VideoView } from './video.server';

interface VideoDetailsProps {
  readonly video: VideoView;
  readonly result: VideoResultView;
}

/** A list with the commas of the language. */
const listOf = (names: readonly string[], language: string): string =>
  new Intl.ListFormat(language, { style: 'narrow' }).format(names);

export function VideoDetails({ video, result }: VideoDetailsProps) {
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
